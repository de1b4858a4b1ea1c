/** The syntax tree of a query. */

/** In the order in which the parser tries them: `ms` before `m`. */
export const units = ['Y', 'M', 'w', 'd', 'h', 'ms', 'm', 's', 'us', 'ns'] as const
type Unit = (typeof units)[number]
/** Milliseconds of each unit of a duration. */
export const unitMs: Readonly<Record<Unit, number>> = {
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
}
export interface Duration {
  count: number
  unit: Unit
}
export const durationMs = ({ count, unit }: Duration): number => count * unitMs[unit]

export const signs = ['+', '-'] as const
type Sign = (typeof signs)[number]
/** A time: milliseconds since 1970 or since midnight UTC, or an offset from now. */
export type Moment = { since: 'epoch' | 'midnight'; ms: number } | { since: 'now'; sign: Sign; by: Duration }

/** A value in a filter. Error messages use the names of the types. */
export type Literal =
  | { type: 'Boolean'; value: boolean }
  | { type: 'Integer'; value: bigint }
  | { type: 'Double'; value: number }
  | { type: 'Duration'; value: Duration }
  | { type: 'Timestamp'; value: Moment }
  /** a UUID in lower case with dashes, an address in its canonical form */
  | { type: 'Uuid' | 'IpAddr' | 'String'; value: string }

/** In the order in which the parser tries them. */
export const comparisons = ['==', '!=', '>=', '>', '<=', '<', '~='] as const
export type Comparison = (typeof comparisons)[number]

export interface Atom {
  kind: 'atom'
  ident: string
  cmp: Comparison
  literal: Literal
}
/** Binary operators by ascending precedence. */
export const connectives = { or: '||', and: '&&', xor: '^' } as const
export type Expr = Atom | { kind: 'not'; of: Expr } | { kind: keyof typeof connectives; of: readonly Expr[] }

export const reducers = ['mean', 'sum'] as const
export type Reducer = (typeof reducers)[number]
/** `range_within` is our own: the mean, the least and the most of each window. */
export const methods = ['mean_within', 'range_within', 'interpolate'] as const
export type AlignMethod = (typeof methods)[number]
export const sides = ['first', 'last'] as const
export interface Limit {
  side: (typeof sides)[number]
  count: number
}
export type Op =
  | { op: 'get'; name: string }
  | { op: 'filter'; expr: Expr }
  | { op: 'group_by'; fields: readonly string[]; reducer: Reducer }
  | { op: 'align'; method: AlignMethod; period: Duration }
  | { op: 'join' }
  | ({ op: 'limit' } & Limit)
  | { op: 'group'; queries: readonly Query[] }
/** Operations from left to right. The first one is a `get` or a group, the others are not. */
export type Query = readonly Op[]

/** A query cannot be parsed, planned or run. The message is for its author. */
export class QueryError extends Error {
  override name = 'QueryError'
}
