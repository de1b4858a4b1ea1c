/** What is provisioned, as timeseries: gauges of a project, a silo or the fleet. */
import type { Tx } from '../db/tables.ts'
import { TooManyPoints, type SeriesRequest, type StoredSeries } from './model.ts'
import { fieldsOf, keyOfFields } from './schemas.ts'
import { partsOf } from './store.ts'
import type { UsageMetric } from './usage-samples.ts'

export const usageTarget = 'collection_target'

/** The series that are asked for. Throws TooManyPoints. */
export async function readUsageSeries(
  tx: Tx,
  request: SeriesRequest,
  maxPoints: number,
): Promise<StoredSeries[]> {
  const { schema, equal, from, until, limit } = request
  const metric = partsOf(schema.name).metric as UsageMetric
  const id = equal.get('id')
  let rows = tx.selectFrom('usageSample').select(['id', 'at', 'value']).where('metric', '=', metric)
  if (id !== undefined) rows = rows.where('id', '=', String(id))
  if (from !== null) rows = rows.where('at', '>=', Math.ceil(from))
  if (until !== null) rows = rows.where('at', '<=', Math.floor(until))
  const found = await rows
    .orderBy('id')
    .orderBy('at')
    .limit(maxPoints + 1)
    .execute()
  if (found.length > maxPoints) throw new TooManyPoints()
  return [...Map.groupBy(found, (row) => row.id)].flatMap(([of, all]) => {
    const fields = fieldsOf(schema, { id: of })
    if (!request.test(fields)) return []
    const some = !limit ? all : limit.side === 'first' ? all.slice(0, limit.count) : all.slice(-limit.count)
    const points = {
      timestamps: Float64Array.from(some, (row) => row.at),
      startTimes: null,
      values: { kind: 'numbers' as const, of: Float64Array.from(some, (row) => row.value) },
    }
    return [{ key: keyOfFields(schema, fields), fields, points }]
  })
}
