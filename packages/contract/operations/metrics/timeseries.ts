/** Queries over timeseries, and their schemas. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { datumTypes, fieldTypes, units } from '#/rules/timeseries.ts'
import { array, boolean, enumOf, integer, nullable, number, object, optional, record, ref, type Schema, string, time, union, unlimited } from '#/schema.ts'
import { Ip } from '#/schemas/address.ts'
import { ofProject } from '#/schemas/identity.ts'
import { int16, int32, int64, int8, uint16, uint32, uint64, uint8 } from '#/schemas/integers.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { Uuid } from '#/schemas/scalar.ts'

const tag = 'metrics'

// Each point of an answer has one. They stay strings, because making a hundred thousand Dates takes too long.
const Moment = string({ format: 'date-time' })

export const DatumType = ref('DatumType', enumOf(datumTypes))
export const Quantile = ref(
  'Quantile',
  object({
    p: number(),
    markerHeights: array(number(), unlimited),
    markerPositions: array(uint64, unlimited),
    desiredMarkerPositions: array(number(), unlimited),
  }),
)

export const FieldValue = ref(
  'FieldValue',
  union('type', {
    string: { value: string(unlimited) },
    i8: { value: int8 },
    u8: { value: uint8 },
    i16: { value: int16 },
    u16: { value: uint16 },
    i32: { value: int32 },
    u32: { value: uint32 },
    i64: { value: int64 },
    u64: { value: uint64 },
    ip_addr: { value: Ip },
    uuid: { value: Uuid },
    bool: { value: boolean() },
  }),
)

const distribution = (value: Schema<number>) =>
  object({
    bins: array(value, unlimited),
    counts: array(uint64, unlimited),
    min: optional(nullable(value)),
    max: optional(nullable(value)),
    sumOfSamples: value,
    squaredMean: number(),
    p50: optional(nullable(Quantile)),
    p90: optional(nullable(Quantile)),
    p99: optional(nullable(Quantile)),
  })
const samples = <T>(value: Schema<T>) => ({ values: array(nullable(value), unlimited) })
const ValueArray = ref(
  'ValueArray',
  union('type', {
    integer: samples(int64),
    double: samples(number()),
    boolean: samples(boolean()),
    string: samples(string(unlimited)),
    integer_distribution: samples(ref('Distributionint64', distribution(int64))),
    double_distribution: samples(ref('Distributiondouble', distribution(number()))),
  }),
)
const Values = ref(
  'Values',
  object({ metricType: ref('MetricType', enumOf(['gauge', 'delta', 'cumulative'])), values: ValueArray }),
)
export const Points = ref(
  'Points',
  object({
    startTimes: optional(nullable(array(Moment, unlimited))),
    timestamps: array(Moment, unlimited),
    values: array(Values, unlimited),
  }),
)
export const Timeseries = ref('Timeseries', object({ fields: record(FieldValue, unlimited), points: Points }))
export const OxqlTable = ref('OxqlTable', object({ name: string(unlimited), timeseries: array(Timeseries, unlimited) }))
export const OxqlQueryResult = ref('OxqlQueryResult', object({ tables: array(OxqlTable, unlimited) }))
const TimeseriesQuery = ref('TimeseriesQuery', object({ query: string({ maxLength: limits.query, isRule: true }) }))

export const TimeseriesSchema = ref(
  'TimeseriesSchema',
  object({
    timeseriesName: ref('TimeseriesName', string(unlimited)),
    description: ref('TimeseriesDescription', object({ target: string(unlimited), metric: string(unlimited) })),
    fieldSchema: array(
      ref(
        'FieldSchema',
        object({
          name: string(unlimited),
          fieldType: ref('FieldType', enumOf(fieldTypes)),
          source: ref('FieldSource', enumOf(['target', 'metric'])),
          description: string(unlimited),
        }),
      ),
      unlimited,
    ),
    datumType: DatumType,
    version: integer({ min: 1, max: 0xff, format: 'uint8' }),
    authzScope: ref('AuthzScope', enumOf(['fleet', 'silo', 'project', 'viewable_to_all'])),
    units: ref('Units', enumOf(units)),
    created: time(),
  }),
)

export const timeseriesQuery = op({
  method: 'POST', path: '/v1/timeseries/query', allow: 'project.viewer', ok: 200, changesNothing: true, tag,
  query: object(ofProject), body: TimeseriesQuery, response: OxqlQueryResult,
})
export const systemTimeseriesQuery = op({
  method: 'POST', path: '/v1/system/timeseries/query', allow: 'fleet.viewer', ok: 200, changesNothing: true, tag,
  body: TimeseriesQuery, response: OxqlQueryResult,
})
export const systemTimeseriesSchemaList = op({
  method: 'GET', path: '/v1/system/timeseries/schemas', allow: 'fleet.viewer', ok: 200, tag,
  query: object(inOrder), response: ref('TimeseriesSchemaResultsPage', page(TimeseriesSchema)),
})
