/**
 * Query → plan: each `get` with what may be asked of the storage beforehand, and the operations after it
 * with the shapes of their tables. Filters and limits stay where they are written; what moves ahead is
 * only what they imply for the points to read.
 */
import type { Fields, FieldValue, Schema, SeriesRequest } from '../timeseries/model.ts'
import { fieldTest } from './filter.ts'
import { resolveMoment } from './literals.ts'
import { shapeOf, shapesAfter } from './shape.ts'
import { always, intersect, type Spans, spansOf, widen } from './spans.ts'
import { durationMs, type Limit, type Literal, type Op, type Query, QueryError } from './syntax.ts'
import { onlyDimension, type Shape } from './table.ts'
import { atomsOf, type Comparing, conjuncts, implied, isTime, type Term, termOf } from './terms.ts'

/** Reading the points of one `get`. */
export interface Source {
  shape: Shape
  request: SeriesRequest
  /** Only points at these moments are there at all: deltas count from the first of them on. */
  spans: Spans
}
export interface Step {
  op: Exclude<Op, { op: 'get' | 'group' }>
  /** of the tables after it */
  shapes: readonly Shape[]
}
/** Where the tables of a query come from, and what is done with them. */
interface Tree<Leaf> {
  from: { source: Leaf } | { group: readonly Tree<Leaf>[] }
  steps: readonly Step[]
}
export type Plan = Tree<Source>
/** A `get` before anything is known of what to read: its schema, and what follows it. */
interface Get {
  schema: Schema
  shape: Shape
  ops: readonly Step['op'][]
}

/** What a plan is made for. */
export interface Scene {
  now: number
  schemas: ReadonlyMap<string, Schema>
}

const nameOf = (op: Op): string[] =>
  op.op === 'get' ? [op.name] : op.op === 'group' ? op.queries.flatMap(namesIn) : []
/** The timeseries that a query reads. */
export const namesIn = (query: Query): string[] => query.flatMap(nameOf)

const filtersIn = (query: Query): Term[] =>
  query.flatMap((op) =>
    op.op === 'filter' ? [termOf(op.expr)] : op.op === 'group' ? op.queries.flatMap(filtersIn) : [],
  )

// A lower bound says where a query begins, not where it ends.
const endsRange = ({ test }: Comparing) => test === '<' || test === '<=' || test === '=='
/** The end of a query: the latest moment up to which a filter takes points, or else now. */
function endOf(query: Query, now: number): number {
  const ends = filtersIn(query)
    .flatMap(atomsOf)
    .filter((atom) => isTime(atom) && endsRange(atom))
    .flatMap(({ literal }) => (literal.type === 'Timestamp' ? [resolveMoment(literal.value, now)] : []))
  return ends.length ? Math.max(...ends) : now
}

/** Makes the plan. Throws QueryError. */
export function planQuery(query: Query, scene: Scene): Plan {
  const draft = new Planner(scene, endOf(query, scene.now)).plan(query, [])
  return withSources(draft, scene.now)
}

// Only when all filters are known to fit their tables.
const withSources = ({ from, steps }: Tree<Get>, now: number): Plan => ({
  from:
    'source' in from
      ? { source: sourceOf(from.source, now) }
      : { group: from.group.map((plan) => withSources(plan, now)) },
  steps,
})

class Planner {
  readonly #scene: Scene
  readonly #end: number
  constructor(scene: Scene, end: number) {
    this.#scene = scene
    this.#end = end
  }

  /** `after` are the operations that follow the group this query is in. */
  plan([first, ...rest]: Query, after: readonly Step['op'][]): Tree<Get> {
    const ops = rest.filter((op) => op.op !== 'get' && op.op !== 'group')
    const { from, shapes } = this.#begin(first, [...ops, ...after])
    let current = shapes
    const steps = ops.map((op) => {
      current = shapesAfter(op, current, this.#end)
      return { op, shapes: current }
    })
    return { from, steps }
  }

  #begin(op: Op | undefined, ops: readonly Step['op'][]): Pick<Tree<Get>, 'from'> & { shapes: Shape[] } {
    if (op?.op === 'group') {
      const group = op.queries.map((query) => this.plan(query, ops))
      return { from: { group }, shapes: group.flatMap(shapesOf) }
    }
    const name = op?.op === 'get' ? op.name : ''
    const schema = this.#scene.schemas.get(name)
    if (!schema) throw new QueryError(`Timeseries not found for: ${name}`)
    const shape = shapeOf(schema)
    return { from: { source: { schema, shape, ops } }, shapes: [shape] }
  }
}

/** The shapes of the tables that a plan ends with. */
function shapesOf({ from, steps }: Tree<Get>): readonly Shape[] {
  const last = steps.at(-1)
  if (last) return last.shapes
  return 'source' in from ? [from.source.shape] : from.group.flatMap(shapesOf)
}

// Of a counter, the first point that is read holds its whole total. To know what was counted at the first
// one that matters, some ahead of it are read as well: it may not follow at once, and may be missing.
const leadIn = { ms: 120_000, points: 8 }

function sourceOf({ schema, shape, ops }: Get, now: number): Source {
  const ahead = new Ahead(shape, now)
  for (const op of ops) ahead.pass(op)
  if (!ahead.isBounded)
    throw new QueryError(
      `The query would read all points of ${schema.name}: ` +
        'filter it by fields or timestamps, or limit how many points it reads',
    )
  const [from, until] = [ahead.wider[0]?.from ?? Infinity, ahead.wider.at(-1)?.until ?? -Infinity]
  const request: SeriesRequest = {
    schema,
    equal: equalities(ahead.fields),
    test: testOfAll(ahead.fields, now),
    from: from === -Infinity ? null : from,
    until: until === Infinity ? null : until,
    limit: ahead.limit,
  }
  return { shape, request, spans: ahead.spans }
}

/** What the operations after a `get` imply for the points to read, gathered from left to right. */
class Ahead {
  readonly #shape: Shape
  readonly #now: number
  /** What is known of fields holds for whole series, whatever is done to their points. */
  readonly fields: Term[] = []
  /** Points elsewhere are gone before anything else happens. */
  spans: Spans = always
  /** Points elsewhere have no part in the answer. */
  wider: Spans = always
  limit: Limit | null = null
  isBounded = false
  #widenedBy = 0
  /** Nothing but whole conditions on fields and moments has come before. */
  #isWhole = true
  /** Times say nothing of what to read any more: they are about points that a limit has chosen. */
  #isLimited = false
  #isAligned = false

  constructor(shape: Shape, now: number) {
    this.#shape = shape
    this.#now = now
  }

  pass(op: Step['op']): void {
    if (op.op === 'filter') this.#filter(termOf(op.expr))
    else if (op.op === 'limit') this.#limit(op)
    else if (op.op === 'align') {
      this.#isAligned = true
      this.#widenedBy += durationMs(op.period) + leadIn.ms
    }
  }

  #filter(term: Term): void {
    const isField = (atom: Comparing) => this.#shape.fields.has(atom.ident)
    const ofFields = implied(term, isField)
    if (ofFields) this.fields.push(ofFields)
    const ofTimes = this.#isLimited ? null : implied(term, isTime)
    if (ofTimes) {
      const spans = spansOf(ofTimes, this.#now)
      if (!this.#isAligned) this.spans = intersect(this.spans, spans)
      this.wider = intersect(this.wider, widen(spans, this.#widenedBy))
    }
    const narrows = (atom: Comparing) => isField(atom) || (isTime(atom) && !this.#isLimited)
    this.isBounded ||= implied(term, narrows) !== null
    const isPure = (part: Term) => atomsOf(part).every(isField) || atomsOf(part).every(isTime)
    this.#isWhole &&= conjuncts(term).every(isPure)
  }

  #limit({ side, count }: Limit): void {
    const mayMove = this.#isWhole && !this.#isLimited && !this.#isAligned && this.spans.length <= 1
    this.#isLimited = true
    if (!mayMove) return
    const isDelta = onlyDimension(this.#shape)?.metric === 'delta'
    this.limit = { side, count: side === 'last' && isDelta ? count + leadIn.points : count }
    this.isBounded = true
  }
}

/** What fields must be equal to. Where two filters differ, `test` refuses all. */
function equalities(terms: readonly Term[]): Map<string, FieldValue['value']> {
  const equal = new Map<string, FieldValue['value']>()
  for (const term of terms.flatMap(conjuncts))
    if (term.kind === 'atom' && term.test === '==') equal.set(term.ident, storedOf(term.literal))
  return equal
}
function storedOf({ type, value }: Literal): FieldValue['value'] {
  if (type === 'Duration' || type === 'Timestamp') throw new Error('no field holds a time')
  return typeof value === 'bigint' ? Number(value) : value
}

function testOfAll(terms: readonly Term[], now: number): (fields: Fields) => boolean {
  const tests = terms.map((term) => fieldTest(term, now))
  return (fields) => tests.every((test) => test(fields))
}
