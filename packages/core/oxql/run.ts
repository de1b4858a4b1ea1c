/** Plan → tables. */
import { type StoredSeries, TooManyPoints, type TimeseriesReader } from '../timeseries/model.ts'
import { alignSeries } from './align.ts'
import { groupSeries, joinTables } from './combine.ts'
import { deltaSeries } from './delta.ts'
import { pointFilter } from './filter.ts'
import type { Plan, Source, Step } from './plan.ts'
import { type Limit, QueryError } from './syntax.ts'
import { during, isDistribution, type Series, type Shape, slice, type Table } from './table.ts'

/** Most stored points that a query may read, and most that all its alignments may make. */
const mostPoints = 1_000_000
/** A distribution takes the room of several numbers. */
const pointsPerDistribution = 8

/** What a query is run with. */
export interface Run {
  reader: TimeseriesReader
  now: number
  /** Called with the number of points worked on: lets others work in between. Throws to end the query. */
  breathe: (points: number) => Promise<void>
}

/** Runs a plan. Throws QueryError, and what `breathe` and the reader throw. */
export function runPlan(plan: Plan, run: Run): Promise<Table[]> {
  return new Runner(run).tables(plan)
}

class Runner {
  readonly #run: Run
  #pointsLeft = mostPoints
  #alignedLeft = mostPoints
  constructor(run: Run) {
    this.#run = run
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
    const most = Math.floor(this.#pointsLeft / size)
    const stored = isEmpty ? [] : await this.#run.reader.read(request, most).catch(refused)
    for (const { points } of stored) this.#pointsLeft -= points.timestamps.length * size
    if (this.#pointsLeft < 0) throw tooManyPoints()
    const series = await this.#each(stored.map(seriesOf), (one) => {
      const within = during(one, spans)
      return within && deltaSeries(shape.name, within)
    })
    return { shape, series }
  }

  async #apply({ op, shapes }: Step, tables: readonly Table[]): Promise<Table[]> {
    const [shape] = shapes
    await this.#run.breathe(0)
    if (op.op === 'join') return shape ? [{ shape, series: joinTables(tables, shape) }] : []
    const after: Table[] = []
    for (const [i, { series }] of tables.entries()) {
      const shape = shapes[i]
      if (shape) after.push({ shape, series: await this.#series(op, series, shape) })
    }
    return after
  }

  #series(
    op: Exclude<Step['op'], { op: 'join' }>,
    series: readonly Series[],
    shape: Shape,
  ): Promise<Series[]> {
    switch (op.op) {
      case 'filter':
        return this.#each(series, pointFilter(op.expr, this.#run.now))
      case 'limit':
        return this.#each(series, (one) => limited(one, op))
      case 'align':
        return this.#whole(this.#align(series, shape))
      case 'group_by':
        return this.#whole(groupSeries(series, shape, op.reducer))
    }
  }

  #align(series: readonly Series[], { alignment }: Shape): Series[] {
    if (!alignment) throw new Error('aligned to nothing')
    const aligned = alignSeries(series, alignment, this.#alignedLeft)
    this.#alignedLeft -= pointsIn(aligned)
    return aligned
  }

  async #whole(series: Series[]): Promise<Series[]> {
    await this.#run.breathe(pointsIn(series))
    return series
  }

  async #each(series: readonly Series[], make: (one: Series) => Series | null): Promise<Series[]> {
    const made: Series[] = []
    for (const one of series) {
      const result = make(one)
      if (result) made.push(result)
      await this.#run.breathe(one.timestamps.length)
    }
    return made
  }
}

const pointsIn = (series: readonly Series[]): number =>
  series.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
const tooManyPoints = () =>
  new QueryError(`The query would read more than ${mostPoints} points: filter more, or take a shorter range`)
function refused(error: unknown): never {
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
