/** `filter`: which series and points of a table are kept. */
import { quoted } from '@purlin/contract/rules/messages'
import type { Fields, FieldType } from '#/timeseries/model.ts'
import { valuePredicate } from './compare.ts'
import { resolveMoment } from './literals.ts'
import { printExpr } from './print.ts'
import { type Atom, type Expr, type Literal, QueryError } from './syntax.ts'
import { spansOf } from './spans.ts'
import { during, isDistribution, isNumeric, onlyDimension, pick, type Series, type Shape } from './table.ts'
import { atomsOf, type Condition, conjuncts, isTime, type Term, termOf } from './terms.ts'

// Each is evaluated for every point.
const maxComparisons = 32
// The rest is found once these are mended.
const mostProblems = 10

const distributionFields = [
  'bins',
  'counts',
  'n_samples',
  'min',
  'max',
  'sum_of_samples',
  'squared_mean',
  'p50',
  'p90',
  'p99',
]

/** The type of an identifier, and the literals that it may be compared with. */
interface IdentifierType {
  type: string
  literals: readonly Literal['type'][]
}
const fieldLiterals: Partial<Record<FieldType, IdentifierType['literals']>> = {
  string: ['String'],
  ip_addr: ['IpAddr'],
  uuid: ['Uuid'],
  bool: ['Boolean'],
}
const timeLiterals = ['Timestamp'] as const
const numberLiterals = ['Integer', 'Double', 'Duration', 'Timestamp'] as const

function typeOf(shape: Shape, ident: string): IdentifierType | undefined {
  const field = shape.fields.get(ident)
  if (field) return { type: field, literals: fieldLiterals[field] ?? ['Integer'] }
  if (ident === 'timestamp') return { type: ident, literals: timeLiterals }
  const dimension = onlyDimension(shape)
  if (ident === 'start_time' && dimension?.metric === 'delta')
    return { type: 'timestamp', literals: timeLiterals }
  if (ident !== 'datum' || !dimension || isDistribution(dimension.type)) return undefined
  const { type } = dimension
  return { type, literals: isNumeric(type) ? numberLiterals : [type === 'string' ? 'String' : 'Boolean'] }
}

function problemOf(shape: Shape, { ident, literal }: Atom | Condition): string | null {
  const dimension = onlyDimension(shape)
  if (
    !shape.fields.has(ident) &&
    dimension &&
    isDistribution(dimension.type) &&
    distributionFields.includes(ident)
  )
    return `Filtering on the special identifier "${quoted(ident)}" is not yet supported`
  const expected = typeOf(shape, ident)
  if (!expected || expected.literals.includes(literal.type)) return null
  return (
    `Filter expression for identifier "${quoted(ident)}" has type "${literal.type}" ` +
    `which is not compatible with the expected type "${expected.type}"`
  )
}

/** Checks a filter against the shape of the table. Throws QueryError. */
export function checkFilter(shape: Shape, expr: Expr): void {
  const atoms = atomsOf(termOf(expr))
  const special = isDistribution(onlyDimension(shape)?.type ?? 'integer') ? distributionFields : []
  const unknown = atoms
    .map(({ ident }) => ident)
    .filter((ident) => !typeOf(shape, ident) && !special.includes(ident))
  const usable = [...shape.fields.keys(), 'timestamp', 'start_time', 'datum'].filter((ident) =>
    typeOf(shape, ident),
  )
  const problems = new Set(atoms.map((atom) => problemOf(shape, atom)).filter((problem) => problem !== null))
  if (unknown.length)
    problems.add(
      `The identifiers [${quoted([...new Set(unknown)].join(', '))}] are not valid for the table "${shape.name}". ` +
        `Valid identifiers are: [${usable.join(', ')}]`,
    )
  if (atoms.filter(({ ident }) => !shape.fields.has(ident)).length > maxComparisons)
    problems.add(`A filter can have at most ${maxComparisons} comparisons of points`)
  if (problems.size === 0) return
  const lines = [...problems]
    .slice(0, mostProblems)
    .map((problem) => `\n  > ${problem}`)
    .join('')
  throw new QueryError(
    `The filter expression "${quoted(printExpr(expr))}" is not valid, the following errors were encountered${lines}`,
  )
}

/** True if the point at an index is kept; a boolean if the answer is the same for all points of the series. */
type PointPredicate = boolean | ((index: number) => boolean)
type SeriesPredicate = (series: Series) => PointPredicate

/** Returns a function that filters a series, to null if no point is kept. */
export function pointFilter(expr: Expr, now: number): (series: Series) => Series | null {
  // Times are sorted, so conditions only on times need no pass over the points.
  const { times = [], others = [] } = Object.groupBy(conjuncts(termOf(expr)), (part) =>
    atomsOf(part).every(isTime) ? 'times' : 'others',
  )
  const spans = spansOf({ kind: 'and', of: times }, now)
  const predicate = predicateOf({ kind: 'and', of: others }, now)
  return (series) => {
    const within = during(series, spans)
    return within && select(within, predicate)
  }
}

function select(series: Series, predicate: SeriesPredicate): Series | null {
  const isKept = predicate(series)
  if (typeof isKept === 'boolean') return isKept ? series : null
  const kept = new Uint32Array(series.timestamps.length)
  let count = 0
  for (let i = 0; i < kept.length; i++) if (isKept(i)) kept[count++] = i
  return count ? pick(series, kept.subarray(0, count)) : null
}

/** The predicate of a term that has only conditions on fields. */
export function fieldPredicate(term: Term, now: number): (fields: Fields) => boolean {
  if (term.kind === 'atom') {
    const matches = valuePredicate(term, now)
    return (fields) => matches(fields[term.ident]?.value ?? null)
  }
  const parts = term.of.map((part) => fieldPredicate(part, now))
  const combineParts = combine[term.kind]
  return (fields) => combineParts(parts, (part) => part(fields))
}

const isOdd = (count: number): boolean => count % 2 === 1
/** Combines the operands of a term. */
const combine = {
  and: <P>(parts: readonly P[], holds: (part: P) => boolean) => parts.every(holds),
  or: <P>(parts: readonly P[], holds: (part: P) => boolean) => parts.some(holds),
  xor: <P>(parts: readonly P[], holds: (part: P) => boolean) => isOdd(parts.filter(holds).length),
}

function predicateOf(term: Term, now: number): SeriesPredicate {
  if (term.kind === 'atom') return predicateOfAtom(term, now)
  const parts = term.of.map((part) => predicateOf(part, now))
  const { kind } = term
  return (series) => {
    const results = parts.map((part) => part(series))
    const open = results.filter((result) => typeof result !== 'boolean')
    const settled = results.filter((result) => typeof result === 'boolean')
    const whole = combine[kind](settled, (result) => result)
    if (open.length === 0) return whole
    if (kind === 'xor') return (i) => isOdd(open.filter((isTrue) => isTrue(i)).length) !== whole
    // A false operand decides `and`, a true one decides `or`.
    if (settled.length && whole === (kind === 'or')) return whole
    return open.length === 1 && open[0] ? open[0] : (i) => combine[kind](open, (isTrue) => isTrue(i))
  }
}

function predicateOfAtom(atom: Condition, now: number): SeriesPredicate {
  const { ident, literal } = atom
  if (isTime(atom) || ident === 'start_time') {
    // Points have their times in milliseconds.
    const at = literal.type === 'Timestamp' ? resolveMoment(literal.value, now) : Number.NaN
    const matches = valuePredicate({ ...atom, literal: { type: 'Double', value: at } }, now)
    return ({ timestamps, startTimes }) => {
      const times = isTime(atom) ? timestamps : startTimes
      return (i) => matches(times?.[i] ?? null)
    }
  }
  const matches = valuePredicate(atom, now)
  return ({ fields, values: [values] }) => {
    const field = fields[ident]
    if (field) return matches(field.value)
    return (i) => {
      const value = values?.[i] ?? null
      return typeof value === 'object' ? false : matches(value)
    }
  }
}
