/** A query as it is written: the tree between text and plan. */

/** Milliseconds of each unit of a duration. */
export const unitMs = {
  Y: 365 * 86_400_000,
  M: 30 * 86_400_000,
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  ns: 1e-6,
} as const
export interface Duration {
  count: number
  unit: keyof typeof unitMs
}
export const durationMs = ({ count, unit }: Duration): number => count * unitMs[unit]

/** A moment: milliseconds since 1970 or since midnight, or now, moved by a duration. */
export type Moment =
  | { since: 'epoch' | 'midnight'; ms: number }
  | { since: 'now'; sign: '+' | '-'; by: Duration }

/** A value in a filter. The words are those of error messages. */
export type Literal =
  | { type: 'Boolean'; value: boolean }
  | { type: 'Integer'; value: bigint }
  | { type: 'Double'; value: number }
  | { type: 'Duration'; value: Duration }
  | { type: 'Timestamp'; value: Moment }
  /** lower case, with dashes; addresses in their canonical text */
  | { type: 'Uuid' | 'IpAddr' | 'String'; value: string }

/** In the order in which they are tried. */
export const comparisons = ['==', '!=', '>=', '>', '<=', '<', '~='] as const
export type Comparison = (typeof comparisons)[number]

export interface Atom {
  kind: 'atom'
  ident: string
  cmp: Comparison
  literal: Literal
}
/** What joins the parts of an expression, from the weakest. */
export const connectives = { or: '||', and: '&&', xor: '^' } as const
export type Expr = Atom | { kind: 'not'; of: Expr } | { kind: keyof typeof connectives; of: readonly Expr[] }

export type Reducer = 'mean' | 'sum'
export interface Limit {
  side: 'first' | 'last'
  count: number
}
export type Op =
  | { op: 'get'; name: string }
  | { op: 'filter'; expr: Expr }
  | { op: 'group_by'; fields: readonly string[]; reducer: Reducer }
  | { op: 'align'; method: 'mean_within' | 'interpolate'; period: Duration }
  | { op: 'join' }
  | ({ op: 'limit' } & Limit)
  | { op: 'group'; queries: readonly Query[] }
/** Operations from left to right; the first one is a `get` or a group, and no other one is. */
export type Query = readonly Op[]

/** A query that cannot be read, planned or run; the message is for its author. */
export class QueryError extends Error {
  override name = 'QueryError'
}
