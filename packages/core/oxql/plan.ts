/**
 * Plans queries: derives the shapes of all tables, and for each `get` the request to the storage. Filters and limits
 * stay in the plan; the request has only their implications for the points to read.
 */
import { quoted } from '@purlin/contract/rules/messages'
import type { Fields, FieldValue, Schema, SeriesRequest } from '#/timeseries/model.ts'
import { fieldPredicate } from './filter.ts'
import { resolveMoment } from './literals.ts'
import { shapeOf, shapesAfter } from './shape.ts'
import { always, intersect, type Spans, spansOf, widen } from './spans.ts'
import { durationMs, type Limit, type Literal, type Op, type Query, QueryError } from './syntax.ts'
import { onlyDimension, type Shape } from './table.ts'
import { atomsOf, type Condition, conjuncts, implied, isTime, type Term, termOf } from './terms.ts'

/** Reading the points of one `get`. */
export interface Source {
  shape: Shape
  request: SeriesRequest
  /** Only points in these spans exist for the query: deltas count from the first of them. */
  spans: Spans
}
export interface Step {
  op: Exclude<Op, { op: 'get' | 'group' }>
  /** of its output tables */
  shapes: readonly Shape[]
}
/** The source of the tables of a query, and the operations on them. */
interface Tree<Leaf> {
  from: { source: Leaf } | { group: readonly Tree<Leaf>[] }
  steps: readonly Step[]
}
export type Plan = Tree<Source>
/** A `get` and the operations after it, before the request is derived from them. */
interface Get {
  schema: Schema
  shape: Shape
  ops: readonly Step['op'][]
}

export interface PlanContext {
  now: number
  schemas: ReadonlyMap<string, Schema>
}

const nameOf = (op: Op): string[] =>
  op.op === 'get' ? [op.name] : op.op === 'group' ? op.queries.flatMap(namesIn) : []
/** The names of the timeseries that a query reads. */
export const namesIn = (query: Query): string[] => query.flatMap(nameOf)

const filtersIn = (query: Query): Term[] =>
  query.flatMap((op) =>
    op.op === 'filter' ? [termOf(op.expr)] : op.op === 'group' ? op.queries.flatMap(filtersIn) : [],
  )

// A lower bound does not say where a query ends.
const upperBounds = new Set<Condition['operator']>(['<', '<=', '=='])
const momentOf = ({ literal }: Condition, now: number): number =>
  literal.type === 'Timestamp' ? resolveMoment(literal.value, now) : -Infinity

/** The upper bounds of `timestamp` in a term. */
function endsOf(term: Term, now: number): number[] {
  if (term.kind === 'atom') return isTime(term) && upperBounds.has(term.operator) ? [momentOf(term, now)] : []
  if (term.kind !== 'xor') return term.of.flatMap((part) => endsOf(part, now))
  // A condition in an exclusive or is an upper or a lower bound, depending on the other operands.
  const atoms = atomsOf(term)
  if (!atoms.every(isTime) || spansOf(term, now).at(-1)?.until === Infinity) return []
  return atoms.map((atom) => momentOf(atom, now))
}

/** The end of a query: the latest upper bound of `timestamp` in its filters, or now if there is none. */
function endOf(query: Query, now: number): number {
  const ends = filtersIn(query).flatMap((term) => endsOf(term, now))
  return ends.length ? Math.max(...ends) : now
}

/** Plans a query. Throws QueryError. */
export function planQuery(query: Query, context: PlanContext): Plan {
  const draft = new Planner(context, endOf(query, context.now)).plan(query, [])
  return withSources(draft, context.now)
}

// Called after all filters were checked against the shapes of their tables.
const withSources = ({ from, steps }: Tree<Get>, now: number): Plan => ({
  from:
    'source' in from
      ? { source: sourceOf(from.source, now) }
      : { group: from.group.map((plan) => withSources(plan, now)) },
  steps,
})

class Planner {
  readonly #context: PlanContext
  readonly #end: number
  constructor(context: PlanContext, end: number) {
    this.#context = context
    this.#end = end
  }

  /** `after` are the operations that follow the group this query is in. */
  plan([first, ...rest]: Query, after: readonly Step['op'][]): Tree<Get> {
    const ops = rest.filter((op) => op.op !== 'get' && op.op !== 'group')
    const { from, shapes } = this.#source(first, [...ops, ...after])
    let current = shapes
    const steps = ops.map((op) => {
      current = shapesAfter(op, current, this.#end)
      return { op, shapes: current }
    })
    return { from, steps }
  }

  #source(op: Op | undefined, ops: readonly Step['op'][]): Pick<Tree<Get>, 'from'> & { shapes: Shape[] } {
    if (op?.op === 'group') {
      const group = op.queries.map((query) => this.plan(query, ops))
      return { from: { group }, shapes: group.flatMap(shapesOf) }
    }
    const name = op?.op === 'get' ? op.name : ''
    const schema = this.#context.schemas.get(name)
    if (!schema) throw new QueryError(`Timeseries not found for: ${quoted(name)}`)
    const shape = shapeOf(schema)
    return { from: { source: { schema, shape, ops } }, shapes: [shape] }
  }
}

/** The shapes of the output tables of a plan. */
function shapesOf({ from, steps }: Tree<Get>): readonly Shape[] {
  const last = steps.at(-1)
  if (last) return last.shapes
  return 'source' in from ? [from.source.shape] : from.group.flatMap(shapesOf)
}

// The first point of a counter has its total since the start. The deltas of a query are right only if earlier points
// are read too: more than one, because points can be missing.
const leadIn = { ms: 120_000, points: 8 }

function sourceOf({ schema, shape, ops }: Get, now: number): Source {
  const pushdown = new Pushdown(shape, now)
  for (const op of ops) pushdown.add(op)
  if (!pushdown.isBounded)
    throw new QueryError(
      `The query would read all points of ${schema.name}: ` +
        'filter it by fields or timestamps, or limit how many points it reads',
    )
  const [from, until] = [pushdown.range[0]?.from ?? Infinity, pushdown.range.at(-1)?.until ?? -Infinity]
  const request: SeriesRequest = {
    schema,
    equal: equalities(pushdown.fields),
    test: predicateOfAll(pushdown.fields, now),
    from: from === -Infinity ? null : from,
    until: until === Infinity ? null : until,
    limit: pushdown.limit,
  }
  return { shape, request, spans: pushdown.spans }
}

/** Collects what the operations after a `get` imply for the points to read, from left to right. */
class Pushdown {
  readonly #shape: Shape
  readonly #now: number
  /** Conditions that every series in the result satisfies. */
  readonly fields: Term[] = []
  /** Points outside are removed before any other operation. */
  spans: Spans = always
  /** Points outside have no influence on the result. */
  range: Spans = always
  limit: Limit | null = null
  isBounded = false
  #margin = 0
  /** True if every filter so far has only conditions on fields or only on times. */
  #isExact = true
  #isLimited = false
  #isAligned = false
  /** Which conditions of further filters may be pushed down. */
  #allows = { fields: true, times: true }

  constructor(shape: Shape, now: number) {
    this.#shape = shape
    this.#now = now
  }

  add(op: Step['op']): void {
    if (op.op === 'filter') this.#filter(termOf(op.expr))
    else if (op.op === 'limit') this.#limit(op)
    else if (op.op === 'align') this.#align(durationMs(op.period))
  }

  #filter(term: Term): void {
    const isField = (atom: Condition) => this.#shape.fields.has(atom.ident)
    const ofFields = implied(term, isField)
    if (ofFields && this.#allows.fields) this.fields.push(ofFields)
    const ofTimes = implied(term, isTime)
    if (ofTimes && this.#allows.times) {
      const spans = spansOf(ofTimes, this.#now)
      if (!this.#isAligned) this.spans = intersect(this.spans, spans)
      this.range = intersect(this.range, widen(spans, this.#margin))
    }
    const narrows = (atom: Condition) => isField(atom) || (isTime(atom) && !this.#isLimited)
    this.isBounded ||= implied(term, narrows) !== null
    const isPure = (part: Term) => atomsOf(part).every(isField) || atomsOf(part).every(isTime)
    this.#isExact &&= conjuncts(term).every(isPure)
  }

  #limit({ side, count }: Limit): void {
    const isPushed = this.#isContiguous && !this.#isLimited && !this.#isAligned
    this.#isLimited = true
    // A limit selects from the points that are read, so later times do not restrict them. The first points of an
    // aligned table depend on all of its series.
    this.#allows.times = false
    if (this.#isAligned && side === 'first') this.#allows.fields = false
    if (!isPushed) return
    this.limit = { side, count: side === 'last' && this.#isDelta ? count + leadIn.points : count }
    this.isBounded = true
  }

  #align(period: number): void {
    this.#margin += period + leadIn.ms
    // The mean of means counts windows without a value, which depend on all series and times.
    if (this.#isAligned) this.#allows = { fields: false, times: false }
    // A delta after a gap covers the gap, however long it is.
    if (this.#isDelta && !this.#isContiguous) this.#allows.times = false
    this.#isAligned = true
  }

  get #isDelta(): boolean {
    return onlyDimension(this.#shape)?.metric === 'delta'
  }
  /** True if the filters so far keep all points of one span. */
  get #isContiguous(): boolean {
    return this.#isExact && this.spans.length <= 1
  }
}

/** The values that fields must be equal to. If two filters contradict each other, `test` rejects all series. */
function equalities(terms: readonly Term[]): Map<string, FieldValue['value']> {
  const equal = new Map<string, FieldValue['value']>()
  for (const term of terms.flatMap(conjuncts))
    if (term.kind === 'atom' && term.operator === '==') equal.set(term.ident, storedOf(term.literal))
  return equal
}
function storedOf({ type, value }: Literal): FieldValue['value'] {
  if (type === 'Duration' || type === 'Timestamp') throw new Error('no field has a time as its value')
  return typeof value === 'bigint' ? Number(value) : value
}

function predicateOfAll(terms: readonly Term[], now: number): (fields: Fields) => boolean {
  const predicates = terms.map((term) => fieldPredicate(term, now))
  return (fields) => predicates.every((matches) => matches(fields))
}
