/**
 * Filter expressions in negation normal form, except that an exclusive or is kept: `!` is moved down to the
 * comparisons, each of which has an opposite. The size of the expression does not grow, and what it implies
 * about some identifiers can be derived from its parts.
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
export type Operator = keyof typeof opposites

/** A comparison, possibly a negated one. */
export interface Condition {
  kind: 'atom'
  ident: string
  operator: Operator
  literal: Literal
}
export type Term = Condition | { kind: 'and' | 'or' | 'xor'; of: readonly Term[] }

export const isTime = ({ ident }: Pick<Atom, 'ident'>): boolean => ident === 'timestamp'

/** The same expression without `!`. */
export function termOf(expr: Expr, negated = false): Term {
  switch (expr.kind) {
    case 'atom': {
      const { ident, cmp, literal } = expr
      return { kind: 'atom', ident, operator: negated ? opposites[cmp] : cmp, literal }
    }
    case 'not':
      return termOf(expr.of, !negated)
    case 'xor':
      // Negating one operand negates the exclusive or.
      return { kind: 'xor', of: expr.of.map((part, i) => termOf(part, negated && i === 0)) }
    default: {
      const isAnd = (expr.kind === 'and') !== negated
      return { kind: isAnd ? 'and' : 'or', of: expr.of.map((part) => termOf(part, negated)) }
    }
  }
}

/** Every condition of a term. */
export function atomsOf(term: Term): Condition[] {
  return term.kind === 'atom' ? [term] : term.of.flatMap(atomsOf)
}

/** The operands of the top-level conjunction. */
export const conjuncts = (term: Term): Term[] => (term.kind === 'and' ? term.of.flatMap(conjuncts) : [term])

/** A term that `term` implies and that has only `known` conditions; null if there is none. */
export function implied(term: Term, known: (atom: Condition) => boolean): Term | null {
  if (term.kind === 'atom') return known(term) ? term : null
  const parts = term.of.map((part) => implied(part, known))
  const given = parts.filter((part) => part !== null)
  if (term.kind === 'and') return given.length ? { kind: 'and', of: given } : null
  // One operand of an exclusive or implies nothing, so all of its conditions must be known.
  const isWhole = term.kind === 'or' ? given.length === parts.length : atomsOf(term).every(known)
  return isWhole ? { kind: term.kind, of: given } : null
}
