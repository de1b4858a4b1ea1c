/** Reads the provisioned resources of projects, silos and the fleet as gauges. */
import { yieldToEventLoop } from '#/concurrency/checkpoints.ts'
import type { Engine } from '#/db/engine.ts'
import type { Tx, UsageSampleTable } from '#/db/tables.ts'
import { TooManyPoints, type SeriesRequest, type StoredSeries } from './model.ts'
import { fieldsOf, keyOfFields } from './schemas.ts'
import { partsOf } from './store.ts'
import type { UsageMetric } from './usage-samples.ts'

export const usageTarget = 'collection_target'

const rowsPerTransaction = 2000

type Row = Pick<UsageSampleTable, 'id' | 'at' | 'value'>

/** Reads the requested series, in several transactions between which other work can run. Throws TooManyPoints. */
export async function readUsageSeries(
  engine: Engine,
  request: SeriesRequest,
  maxPoints: number,
): Promise<StoredSeries[]> {
  const series = new Map<string, { times: number[]; values: number[] }>()
  let last: Row | undefined
  for (let left = maxPoints, isComplete = false; !isComplete;) {
    const count = Math.min(rowsPerTransaction, left + 1)
    const rows = await engine.transaction('read', (tx) => rowsAfter(tx, request, last).limit(count).execute())
    left -= rows.length
    if (left < 0) throw new TooManyPoints()
    for (const { id, at, value } of rows) {
      const { times, values } = series.get(id) ?? { times: [], values: [] }
      series.set(id, { times, values })
      times.push(at)
      values.push(Number(value))
    }
    last = rows.at(-1)
    isComplete = rows.length < count
    await yieldToEventLoop()
  }
  return [...series]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([id, points]) => seriesOf(request, id, points))
}

function seriesOf(
  { schema, test, limit }: SeriesRequest,
  id: string,
  { times, values }: { times: number[]; values: number[] },
): StoredSeries[] {
  const fields = fieldsOf(schema, { id })
  if (!test(fields)) return []
  const range = !limit ? [] : limit.side === 'first' ? [0, limit.count] : [-limit.count]
  const points = {
    timestamps: Float64Array.from(times.slice(...range)),
    startTimes: null,
    values: { kind: 'numbers' as const, of: Float64Array.from(values.slice(...range)) },
  }
  return [{ key: keyOfFields(schema, fields), fields, points }]
}

function rowsAfter(tx: Tx, { schema, equal, from, until }: SeriesRequest, last: Row | undefined) {
  const metric = partsOf(schema.name).metric as UsageMetric
  const id = equal.get('id')
  let rows = tx.selectFrom('usageSample').select(['id', 'at', 'value']).where('metric', '=', metric)
  if (id !== undefined) rows = rows.where('id', '=', String(id))
  // After the first rows their end is the bound, which finds the place in the index.
  const first = last?.at ?? from
  if (first !== null) rows = rows.where('at', '>=', Math.ceil(first))
  if (until !== null) rows = rows.where('at', '<=', Math.floor(until))
  if (last) rows = rows.where((eb) => eb(eb.refTuple('at', 'id'), '>', eb.tuple(last.at, last.id)))
  // There is an index by time, and one by id and time.
  return rows.orderBy('at').orderBy('id')
}
