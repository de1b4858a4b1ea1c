/** `filter`: which series and points of a table stay. */
import type { Fields, FieldType } from '../timeseries/model.ts'
import { holdsOf } from './compare.ts'
import { resolveMoment } from './literals.ts'
import { printExpr } from './print.ts'
import { type Atom, type Expr, type Literal, QueryError } from './syntax.ts'
import { spansOf } from './spans.ts'
import { during, isDistribution, isNumeric, onlyDimension, pick, type Series, type Shape } from './table.ts'
import { atomsOf, type Comparing, conjuncts, isTime, type Term, termOf } from './terms.ts'

// Each is asked of every point.
const mostComparisons = 32

const ofDistributions = [
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

/** What an identifier stands for, and which literals it may be compared with. */
interface Meaning {
  type: string
  literals: readonly Literal['type'][]
}
const meanings: Partial<Record<FieldType, Meaning['literals']>> = {
  string: ['String'],
  ip_addr: ['IpAddr'],
  uuid: ['Uuid'],
  bool: ['Boolean'],
}
const moments = ['Timestamp'] as const
const measured = ['Integer', 'Double', 'Duration', 'Timestamp'] as const

function meaningOf(shape: Shape, ident: string): Meaning | undefined {
  const field = shape.fields.get(ident)
  if (field) return { type: field, literals: meanings[field] ?? ['Integer'] }
  if (ident === 'timestamp') return { type: ident, literals: moments }
  const dimension = onlyDimension(shape)
  if (ident === 'start_time' && dimension?.metric === 'delta') return { type: 'timestamp', literals: moments }
  if (ident !== 'datum' || !dimension || isDistribution(dimension.type)) return undefined
  const { type } = dimension
  return { type, literals: isNumeric(type) ? measured : [type === 'string' ? 'String' : 'Boolean'] }
}

function problemOf(shape: Shape, { ident, literal }: Atom | Comparing): string | null {
  const dimension = onlyDimension(shape)
  if (
    !shape.fields.has(ident) &&
    dimension &&
    isDistribution(dimension.type) &&
    ofDistributions.includes(ident)
  )
    return `Filtering on the special identifier "${ident}" is not yet supported`
  const meaning = meaningOf(shape, ident)
  if (!meaning || meaning.literals.includes(literal.type)) return null
  return (
    `Filter expression for identifier "${ident}" has type "${literal.type}" ` +
    `which is not compatible with the expected type "${meaning.type}"`
  )
}

/** Refuses what does not fit the table. Throws QueryError. */
export function checkFilter(shape: Shape, expr: Expr): void {
  const atoms = atomsOf(termOf(expr))
  const special = isDistribution(onlyDimension(shape)?.type ?? 'integer') ? ofDistributions : []
  const unknown = atoms
    .map(({ ident }) => ident)
    .filter((ident) => !meaningOf(shape, ident) && !special.includes(ident))
  const usable = [...shape.fields.keys(), 'timestamp', 'start_time', 'datum'].filter((ident) =>
    meaningOf(shape, ident),
  )
  const problems = new Set(atoms.map((atom) => problemOf(shape, atom)).filter((problem) => problem !== null))
  if (unknown.length)
    problems.add(
      `The identifiers [${[...new Set(unknown)].join(', ')}] are not valid for the table "${shape.name}". ` +
        `Valid identifiers are: [${usable.join(', ')}]`,
    )
  if (atoms.filter(({ ident }) => !shape.fields.has(ident)).length > mostComparisons)
    problems.add(`No more than ${mostComparisons} comparisons may be made of points`)
  if (problems.size === 0) return
  const lines = [...problems].map((problem) => `\n  > ${problem}`).join('')
  throw new QueryError(
    `The filter expression "${printExpr(expr)}" is not valid, the following errors were encountered${lines}`,
  )
}

/** Whether the point at an index stays; or, where that depends on the series alone, whether all stay. */
type Verdict = boolean | ((index: number) => boolean)
type Judge = (series: Series) => Verdict

/** Makes the function that filters a series: null if nothing of it stays. */
export function pointFilter(expr: Expr, now: number): (series: Series) => Series | null {
  // Times are in order, so what is said of them alone needs no look at every point.
  const { times = [], others = [] } = Object.groupBy(conjuncts(termOf(expr)), (part) =>
    atomsOf(part).every(isTime) ? 'times' : 'others',
  )
  const spans = spansOf({ kind: 'all', of: times }, now)
  const judge = judgeOf({ kind: 'all', of: others }, now)
  return (series) => {
    const within = during(series, spans)
    return within && judged(within, judge)
  }
}

function judged(series: Series, judge: Judge): Series | null {
  const verdict = judge(series)
  if (typeof verdict === 'boolean') return verdict ? series : null
  const kept = new Uint32Array(series.timestamps.length)
  let count = 0
  for (let i = 0; i < kept.length; i++) if (verdict(i)) kept[count++] = i
  return count ? pick(series, kept.subarray(0, count)) : null
}

/** Makes the test of a condition made of fields alone. */
export function fieldTest(term: Term, now: number): (fields: Fields) => boolean {
  if (term.kind === 'atom') {
    const holds = holdsOf(term, now)
    return (fields) => holds(fields[term.ident]?.value ?? null)
  }
  const parts = term.of.map((part) => fieldTest(part, now))
  const join = joins[term.kind]
  return (fields) => join(parts, (part) => part(fields))
}

const odd = (parts: number): boolean => parts % 2 === 1
/** How what is known of the parts makes what is known of the whole. */
const joins = {
  all: <P>(parts: readonly P[], holds: (part: P) => boolean) => parts.every(holds),
  any: <P>(parts: readonly P[], holds: (part: P) => boolean) => parts.some(holds),
  odd: <P>(parts: readonly P[], holds: (part: P) => boolean) => odd(parts.filter(holds).length),
}

function judgeOf(term: Term, now: number): Judge {
  if (term.kind === 'atom') return judgeOfAtom(term, now)
  const parts = term.of.map((part) => judgeOf(part, now))
  const { kind } = term
  return (series) => {
    const verdicts = parts.map((part) => part(series))
    const open = verdicts.filter((verdict) => typeof verdict !== 'boolean')
    const settled = verdicts.filter((verdict) => typeof verdict === 'boolean')
    const whole = joins[kind](settled, (verdict) => verdict)
    if (open.length === 0) return whole
    if (kind === 'odd') return (i) => odd(open.filter((verdict) => verdict(i)).length) !== whole
    // One that fails settles `all`, one that holds settles `any`.
    if (settled.length && whole === (kind === 'any')) return whole
    return open.length === 1 && open[0] ? open[0] : (i) => joins[kind](open, (verdict) => verdict(i))
  }
}

function judgeOfAtom(atom: Comparing, now: number): Judge {
  const { ident, literal } = atom
  if (isTime(atom) || ident === 'start_time') {
    // In milliseconds, as points have them.
    const at = literal.type === 'Timestamp' ? resolveMoment(literal.value, now) : Number.NaN
    const holds = holdsOf({ ...atom, literal: { type: 'Double', value: at } }, now)
    return ({ timestamps, startTimes }) => {
      const times = isTime(atom) ? timestamps : startTimes
      return (i) => holds(times?.[i] ?? null)
    }
  }
  const holds = holdsOf(atom, now)
  return ({ fields, values: [values] }) => {
    const field = fields[ident]
    if (field) return holds(field.value)
    return (i) => {
      const value = values?.[i] ?? null
      return typeof value === 'object' ? false : holds(value)
    }
  }
}
