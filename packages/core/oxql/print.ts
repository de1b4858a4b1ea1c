/** Query → text that reads as the same query. */
import { literalText } from './literals.ts'
import { connectives, type Expr } from './syntax.ts'

const strength = { or: 0, and: 1, xor: 2, not: 3, atom: 4 } as const

/** An expression, with parentheses where they are needed. */
export function printExpr(expr: Expr): string {
  const inner = (part: Expr) =>
    strength[part.kind] > strength[expr.kind] || part.kind === 'not'
      ? printExpr(part)
      : `(${printExpr(part)})`
  switch (expr.kind) {
    case 'atom':
      return `${expr.ident} ${expr.cmp} ${literalText(expr.literal)}`
    case 'not':
      return `!${inner(expr.of)}`
    default:
      return expr.of.map(inner).join(` ${connectives[expr.kind]} `)
  }
}
