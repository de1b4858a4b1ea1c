/** Measured values: queries over timeseries, their schemas, and what was provisioned when. */
import { op } from '../op.ts'
import {
  array, boolean, defaulted, integer, map, named, nullable, number, object, optional, text, time, union, words,
  type Schema,
} from '../schema.ts'
import { inProject, ofProject } from '../schemas/identity.ts'
import { Ip } from '../schemas/address.ts'
import { inOrder, page } from '../schemas/page.ts'
import { NameOrId, Uuid } from '../schemas/scalar.ts'
import { datumTypes, fieldTypes, metricNames, units } from '../rules/timeseries.ts'

const tag = 'metrics'

const i8 = integer({ min: -0x80, max: 0x7f, format: 'int8' })
const u8 = integer({ min: 0, max: 0xff, format: 'uint8' })
const i16 = integer({ min: -0x80_00, max: 0x7f_ff, format: 'int16' })
const u16 = integer({ min: 0, max: 0xff_ff, format: 'uint16' })
const i32 = integer({ min: -0x80_00_00_00, max: 0x7f_ff_ff_ff, format: 'int32' })
const u32 = integer({ min: 0, max: 0xff_ff_ff_ff, format: 'uint32' })
const i64 = integer()
const u64 = integer({ min: 0, format: 'uint64' })
const f32 = number()
const f64 = number()

// A query answers with one moment for every point. They stay text, so that who makes or reads a hundred
// thousand of them need not make as many Dates.
const Moment = text({ format: 'date-time' })

const Quantile = named(
  'Quantile',
  object({
    p: f64,
    markerHeights: array(f64),
    markerPositions: array(u64),
    desiredMarkerPositions: array(f64),
  }),
)

const scalar = (value: Schema<number>) => ({ datum: value })
const cumulative = (value: Schema<number>) => ({ datum: object({ startTime: time(), value }) })
const histogram = (value: Schema<number>, sum: Schema<number>) => ({
  datum: object({
    startTime: time(),
    bins: array(object({ range: binRange(value), count: u64 })),
    nSamples: u64,
    min: value,
    max: value,
    sumOfSamples: sum,
    squaredMean: f64,
    p50: Quantile,
    p90: Quantile,
    p99: Quantile,
  }),
})
const binRange = (value: Schema<number>) =>
  union('type', { range_to: { end: value }, range: { start: value, end: value }, range_from: { start: value } })

const DatumType = named('DatumType', words(datumTypes))
export const Datum = named(
  'Datum',
  union('type', {
    bool: { datum: boolean() },
    i8: scalar(i8),
    u8: scalar(u8),
    i16: scalar(i16),
    u16: scalar(u16),
    i32: scalar(i32),
    u32: scalar(u32),
    i64: scalar(i64),
    u64: scalar(u64),
    f32: scalar(f32),
    f64: scalar(f64),
    string: { datum: text() },
    bytes: { datum: array(u8) },
    cumulative_i64: cumulative(i64),
    cumulative_u64: cumulative(u64),
    cumulative_f32: cumulative(f32),
    cumulative_f64: cumulative(f64),
    histogram_i8: histogram(i8, i64),
    histogram_u8: histogram(u8, i64),
    histogram_i16: histogram(i16, i64),
    histogram_u16: histogram(u16, i64),
    histogram_i32: histogram(i32, i64),
    histogram_u32: histogram(u32, i64),
    histogram_i64: histogram(i64, i64),
    histogram_u64: histogram(u64, i64),
    histogram_f32: histogram(f32, f64),
    histogram_f64: histogram(f64, f64),
    missing: { datum: object({ datumType: DatumType, startTime: optional(nullable(time())) }) },
  }),
)
export const Measurement = named('Measurement', object({ timestamp: time(), datum: Datum }))

export const FieldValue = named(
  'FieldValue',
  union('type', {
    string: { value: text() },
    i8: { value: i8 },
    u8: { value: u8 },
    i16: { value: i16 },
    u16: { value: u16 },
    i32: { value: i32 },
    u32: { value: u32 },
    i64: { value: i64 },
    u64: { value: u64 },
    ip_addr: { value: Ip },
    uuid: { value: Uuid },
    bool: { value: boolean() },
  }),
)

const distribution = (value: Schema<number>) =>
  object({
    bins: array(value),
    counts: array(u64),
    min: optional(nullable(value)),
    max: optional(nullable(value)),
    sumOfSamples: value,
    squaredMean: f64,
    p50: optional(nullable(Quantile)),
    p90: optional(nullable(Quantile)),
    p99: optional(nullable(Quantile)),
  })
const samples = <T>(value: Schema<T>) => ({ values: array(nullable(value)) })
const ValueArray = named(
  'ValueArray',
  union('type', {
    integer: samples(i64),
    double: samples(f64),
    boolean: samples(boolean()),
    string: samples(text()),
    integer_distribution: samples(named('Distributionint64', distribution(i64))),
    double_distribution: samples(named('Distributiondouble', distribution(f64))),
  }),
)
const Values = named(
  'Values',
  object({ metricType: named('MetricType', words(['gauge', 'delta', 'cumulative'])), values: ValueArray }),
)
export const Points = named(
  'Points',
  object({
    startTimes: optional(nullable(array(Moment))),
    timestamps: array(Moment),
    values: array(Values),
  }),
)
export const Timeseries = named('Timeseries', object({ fields: map(FieldValue), points: Points }))
export const OxqlTable = named('OxqlTable', object({ name: text(), timeseries: array(Timeseries) }))
export const OxqlQueryResult = named('OxqlQueryResult', object({ tables: array(OxqlTable) }))
const TimeseriesQuery = named('TimeseriesQuery', object({ query: text() }))

export const TimeseriesSchema = named(
  'TimeseriesSchema',
  object({
    timeseriesName: named('TimeseriesName', text()),
    description: named('TimeseriesDescription', object({ target: text(), metric: text() })),
    fieldSchema: array(
      named(
        'FieldSchema',
        object({
          name: text(),
          fieldType: named('FieldType', words(fieldTypes)),
          source: named('FieldSource', words(['target', 'metric'])),
          description: text(),
        }),
      ),
    ),
    datumType: DatumType,
    version: integer({ min: 1, max: 0xff, format: 'uint8' }),
    authzScope: named('AuthzScope', words(['fleet', 'silo', 'project', 'viewable_to_all'])),
    units: named('Units', words(units)),
    created: time(),
  }),
)

export const timeseriesQuery = op({
  method: 'POST', path: '/v1/timeseries/query', allow: 'project.viewer', ok: 200, tag,
  summary: 'Query timeseries of a project', query: object(ofProject), body: TimeseriesQuery, response: OxqlQueryResult,
})
export const systemTimeseriesQuery = op({
  method: 'POST', path: '/v1/system/timeseries/query', allow: 'fleet.viewer', ok: 200, tag,
  summary: 'Query timeseries of the fleet', body: TimeseriesQuery, response: OxqlQueryResult,
})
export const systemTimeseriesSchemaList = op({
  method: 'GET', path: '/v1/system/timeseries/schemas', allow: 'fleet.viewer', ok: 200, tag,
  summary: 'List the schemas of timeseries',
  query: object(inOrder), response: named('TimeseriesSchemaResultsPage', page(TimeseriesSchema)),
})

const metricPath = object({ metricName: named('SystemMetricName', words(metricNames)) })
const order = named('PaginationOrder', words(['ascending', 'descending']))
/** Which samples: from `startTime` on, before `endTime`. */
const stretch = {
  ...inOrder,
  startTime: time(),
  endTime: time(),
  order: defaulted(order, () => 'ascending' as const),
}
const MeasurementPage = named('MeasurementResultsPage', page(Measurement))

export const siloMetric = op({
  method: 'GET', path: '/v1/metrics/{metric_name}', allow: 'user', ok: 200, tag,
  summary: 'Show what the silo or one of its projects had provisioned',
  params: metricPath, query: object({ ...stretch, ...inProject }), response: MeasurementPage,
})
export const systemMetric = op({
  method: 'GET', path: '/v1/system/metrics/{metric_name}', allow: 'fleet.viewer', ok: 200, tag,
  summary: 'Show what the fleet or one of its silos had provisioned',
  params: metricPath, query: object({ ...stretch, silo: optional(NameOrId) }), response: MeasurementPage,
})
