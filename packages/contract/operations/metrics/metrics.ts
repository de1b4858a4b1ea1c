/** Provisioned amounts over time, and the values that are measured. */
import { op } from '#/op.ts'
import { metricNames } from '#/rules/timeseries.ts'
import { array, boolean, defaulted, enumOf, nullable, number, object, optional, ref, type Schema, string, time, union, unlimited } from '#/schema.ts'
import { inProject } from '#/schemas/identity.ts'
import { int16, int32, int64, int8, uint16, uint32, uint64, uint8 } from '#/schemas/integers.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { NameOrId } from '#/schemas/scalar.ts'
import { DatumType, Quantile } from './timeseries.ts'

const tag = 'metrics'

const scalar = (value: Schema<number>) => ({ datum: value })
const cumulative = (value: Schema<number>) => ({ datum: object({ startTime: time(), value }) })
const histogram = (value: Schema<number>, sum: Schema<number>) => ({
  datum: object({
    startTime: time(),
    bins: array(object({ range: binRange(value), count: uint64 }), unlimited),
    nSamples: uint64,
    min: value,
    max: value,
    sumOfSamples: sum,
    squaredMean: number(),
    p50: Quantile,
    p90: Quantile,
    p99: Quantile,
  }),
})
const binRange = (value: Schema<number>) =>
  union('type', { range_to: { end: value }, range: { start: value, end: value }, range_from: { start: value } })

export const Datum = ref(
  'Datum',
  union('type', {
    bool: { datum: boolean() },
    i8: scalar(int8),
    u8: scalar(uint8),
    i16: scalar(int16),
    u16: scalar(uint16),
    i32: scalar(int32),
    u32: scalar(uint32),
    i64: scalar(int64),
    u64: scalar(uint64),
    f32: scalar(number()),
    f64: scalar(number()),
    string: { datum: string(unlimited) },
    bytes: { datum: array(uint8, unlimited) },
    cumulative_i64: cumulative(int64),
    cumulative_u64: cumulative(uint64),
    cumulative_f32: cumulative(number()),
    cumulative_f64: cumulative(number()),
    histogram_i8: histogram(int8, int64),
    histogram_u8: histogram(uint8, int64),
    histogram_i16: histogram(int16, int64),
    histogram_u16: histogram(uint16, int64),
    histogram_i32: histogram(int32, int64),
    histogram_u32: histogram(uint32, int64),
    histogram_i64: histogram(int64, int64),
    histogram_u64: histogram(uint64, int64),
    histogram_f32: histogram(number(), number()),
    histogram_f64: histogram(number(), number()),
    missing: { datum: object({ datumType: DatumType, startTime: optional(nullable(time())) }) },
  }),
)
export const Measurement = ref('Measurement', object({ timestamp: time(), datum: Datum }))

const metricPath = object({ metricName: ref('SystemMetricName', enumOf(metricNames)) })
const order = ref('PaginationOrder', enumOf(['ascending', 'descending']))
/** Samples from `startTime` (inclusive) to `endTime` (exclusive). */
export const timeRange = {
  ...inOrder,
  startTime: time(),
  endTime: time(),
  order: defaulted(order, () => 'ascending' as const),
}
export const MeasurementPage = ref('MeasurementResultsPage', page(Measurement))

export const siloMetric = op({
  method: 'GET', path: '/v1/metrics/{metric_name}', allow: 'project.viewer', orSilo: true, ok: 200, tag,
  params: metricPath, query: object({ ...timeRange, ...inProject }), response: MeasurementPage,
})
export const systemMetric = op({
  method: 'GET', path: '/v1/system/metrics/{metric_name}', allow: 'fleet.viewer', ok: 200, tag,
  params: metricPath, query: object({ ...timeRange, silo: optional(NameOrId) }), response: MeasurementPage,
})
