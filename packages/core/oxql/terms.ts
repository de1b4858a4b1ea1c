/**
 * Filter expressions without negation: `!` is moved down to the comparisons, which all have an opposite.
 * What every value of an expression implies can then be read off a part of it. The size stays the same:
 * an exclusive or keeps its form.
 */
import type { Atom, Expr, Literal } from './syntax.ts'

const opposites = {
  '==': '!=',
  '!=': '==',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  '<': '>=',
  '~=': '!~',
  '!~': '~=',
} as const
/** `!~`: does not match */
export type Test = keyof typeof opposites

export interface Comparing {
  kind: 'atom'
  ident: string
  test: Test
  literal: Literal
}
export type Term = Comparing | { kind: 'all' | 'any' | 'odd'; of: readonly Term[] }

export const isTime = ({ ident }: Pick<Atom, 'ident'>): boolean => ident === 'timestamp'

/** The same expression without `!`. */
export function termOf(expr: Expr, negated = false): Term {
  switch (expr.kind) {
    case 'atom': {
      const { ident, cmp, literal } = expr
      return { kind: 'atom', ident, test: negated ? opposites[cmp] : cmp, literal }
    }
    case 'not':
      return termOf(expr.of, !negated)
    case 'xor':
      // An odd number of them holds; negating one of them negates the whole.
      return { kind: 'odd', of: expr.of.map((part, i) => termOf(part, negated && i === 0)) }
    default: {
      const isAll = (expr.kind === 'and') !== negated
      return { kind: isAll ? 'all' : 'any', of: expr.of.map((part) => termOf(part, negated)) }
    }
  }
}

/** Every comparison in it. */
export function atomsOf(term: Term): Comparing[] {
  return term.kind === 'atom' ? [term] : term.of.flatMap(atomsOf)
}

/** What must hold all at once. */
export const conjuncts = (term: Term): Term[] => (term.kind === 'all' ? term.of.flatMap(conjuncts) : [term])

/**
 * A condition that all that fulfils `term` also fulfils, made of the comparisons that are `known` alone;
 * null if there is none.
 */
export function implied(term: Term, known: (atom: Comparing) => boolean): Term | null {
  if (term.kind === 'atom') return known(term) ? term : null
  const parts = term.of.map((part) => implied(part, known))
  const given = parts.filter((part) => part !== null)
  if (term.kind === 'all') return given.length ? { kind: 'all', of: given } : null
  // Half of an exclusive or says nothing, so its parts count only whole.
  const isWhole = term.kind === 'any' ? given.length === parts.length : atomsOf(term).every(known)
  return isWhole ? { kind: term.kind, of: given } : null
}
