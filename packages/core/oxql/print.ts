/** Formats expressions so that parsing the text gives the same expression. */
import { literalText } from './literals.ts'
import { connectives, type Expr } from './syntax.ts'

const precedence = { or: 0, and: 1, xor: 2, not: 3, atom: 4 } as const

/** Formats an expression, with parentheses where precedence needs them. */
export function printExpr(expr: Expr): string {
  const inner = (part: Expr) =>
    precedence[part.kind] > precedence[expr.kind] || part.kind === 'not'
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
