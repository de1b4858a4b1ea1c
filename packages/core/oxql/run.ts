/** Runs plans. */
import { messages } from '@purlin/contract/rules/messages'
import { type StoredSeries, TooManyPoints, type TimeseriesReader } from '#/timeseries/model.ts'
import { alignSeries, withoutPadding } from './align.ts'
import { groupSeries, joinTables } from './combine.ts'
import { deltaSeries } from './delta.ts'
import { pointFilter } from './filter.ts'
import type { Plan, Source, Step } from './plan.ts'
import { type Limit, QueryError } from './syntax.ts'
import { during, isDistribution, type Series, type Shape, slice, type Table } from './table.ts'

/** The number of stored points that a query may read, and the number that all its alignments may produce. */
const maxPoints = 1_000_000
/** A distribution counts as several points, because it takes more memory. */
const pointsPerDistribution = 8

/** The environment that a query runs in. */
export interface RunContext {
  reader: TimeseriesReader
  now: number
  /** Called with the number of points processed. May yield to other work, or throw to end the query. */
  checkpoint: (points: number) => Promise<void>
}

/** Runs a plan. Throws QueryError, and the errors of `checkpoint` and the reader. */
export function runPlan(plan: Plan, context: RunContext): Promise<Table[]> {
  return new Runner(context).tables(plan)
}

class Runner {
  readonly #context: RunContext
  #pointsLeft = maxPoints
  #alignedPointsLeft = maxPoints
  constructor(context: RunContext) {
    this.#context = context
  }

  async tables({ from, steps }: Plan): Promise<Table[]> {
    let tables: Table[] = []
    if ('source' in from) tables = [await this.#read(from.source)]
    else for (const plan of from.group) tables.push(...(await this.tables(plan)))
    for (const step of steps) tables = await this.#apply(step, tables)
    return tables
  }

  async #read({ shape, request, spans }: Source): Promise<Table> {
    const isEmpty = (request.from ?? -Infinity) > (request.until ?? Infinity)
    const size = shape.dimensions.some(({ type }) => isDistribution(type)) ? pointsPerDistribution : 1
    const limit = Math.floor(this.#pointsLeft / size)
    const stored = isEmpty ? [] : await this.#context.reader.read(request, limit).catch(rethrow)
    for (const { points } of stored) this.#pointsLeft -= points.timestamps.length * size
    if (this.#pointsLeft < 0) throw tooManyPoints()
    const series = await this.#mapSeries(stored.map(seriesOf), (one) => {
      const within = during(one, spans)
      return within && deltaSeries(shape.name, within)
    })
    return { shape, series }
  }

  async #apply({ op, shapes }: Step, tables: readonly Table[]): Promise<Table[]> {
    const [shape] = shapes
    await this.#context.checkpoint(0)
    if (op.op === 'join') return shape ? [{ shape, series: joinTables(tables, shape) }] : []
    const after: Table[] = []
    for (const [i, { series }] of tables.entries()) {
      const shape = shapes[i]
      if (shape) after.push({ shape, series: await this.#series(op, series, shape) })
    }
    return after
  }

  async #series(
    op: Exclude<Step['op'], { op: 'join' }>,
    series: readonly Series[],
    shape: Shape,
  ): Promise<Series[]> {
    switch (op.op) {
      case 'filter': {
        const kept = await this.#mapSeries(series, pointFilter(op.expr, this.#context.now))
        return shape.alignment ? withoutPadding(kept) : kept
      }
      case 'limit':
        return this.#mapSeries(series, (one) => limited(one, op))
      case 'align':
        return this.#checked(this.#align(op, series, shape))
      case 'group_by':
        return this.#checked(groupSeries(series, shape, op.reducer))
    }
  }

  #align(
    { method }: Extract<Step['op'], { op: 'align' }>,
    series: readonly Series[],
    { alignment }: Shape,
  ): Series[] {
    if (!alignment || method === 'interpolate') throw new Error('not planned')
    const aligned = alignSeries(series, { ...alignment, method }, this.#alignedPointsLeft)
    this.#alignedPointsLeft -= pointsIn(aligned)
    return aligned
  }

  async #checked(series: Series[]): Promise<Series[]> {
    await this.#context.checkpoint(pointsIn(series))
    return series
  }

  async #mapSeries(series: readonly Series[], make: (one: Series) => Series | null): Promise<Series[]> {
    const made: Series[] = []
    for (const one of series) {
      const result = make(one)
      if (result) made.push(result)
      await this.#context.checkpoint(one.timestamps.length)
    }
    return made
  }
}

const pointsIn = (series: readonly Series[]): number =>
  series.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
const tooManyPoints = () => new QueryError(messages.tooManyPoints({ limit: maxPoints }))
function rethrow(error: unknown): never {
  throw error instanceof TooManyPoints ? tooManyPoints() : error
}

const seriesOf = ({ key, fields, points: { timestamps, startTimes, values } }: StoredSeries): Series => ({
  key,
  fields,
  timestamps,
  startTimes,
  values: [values.of],
})

function limited(series: Series, { side, count }: Limit): Series {
  const { length } = series.timestamps
  return side === 'first'
    ? slice(series, 0, Math.min(count, length))
    : slice(series, Math.max(0, length - count), length)
}
