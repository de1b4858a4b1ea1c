/**
 * The data model that producers, the store and queries share. All times are milliseconds since 1970 (UTC), with
 * fractions. Counters are exact up to 2^53.
 */
import type { datumTypes, fieldTypes, units } from '@purlin/contract/rules/timeseries'
import type { Distribution } from '#/ports.ts'

/** The type of a field of a target or a metric. */
export type FieldType = (typeof fieldTypes)[number]
export interface FieldValue {
  type: FieldType
  value: string | number | boolean
}
export type Fields = Record<string, FieldValue>

/** The type of a value. `cumulative_*` and `histogram_*` count from a start time. */
export type DatumType = (typeof datumTypes)[number]

export type Units = (typeof units)[number]

/** The schema of a timeseries. */
export interface Schema {
  /** `target:metric` */
  name: string
  description: { target: string; metric: string }
  fields: readonly { name: string; type: FieldType; source: 'target' | 'metric'; description: string }[]
  datum: DatumType
  version: number
  scope: 'fleet' | 'silo' | 'project' | 'viewable_to_all'
  units: Units
  /** when it was added */
  created: number
}

/** A distribution with quantiles that are estimated from the bins. */
export interface Histogram extends Distribution {
  p50: number | null
  p90: number | null
  p99: number | null
}

/**
 * The points of a series, oldest first, as arrays of equal length. Counters and histograms have `startTimes`,
 * and their values are totals since then. A missing value is NaN in numbers and null in anything else.
 */
export interface Points {
  timestamps: Float64Array
  startTimes: Float64Array | null
  values:
    | { kind: 'numbers'; of: Float64Array }
    | { kind: 'others'; of: (boolean | string | Histogram | null)[] }
}

export interface StoredSeries {
  /** identifies the fields of the series, and orders the series of a table */
  key: string
  fields: Fields
  points: Points
}

/** Which points to read. */
export interface SeriesRequest {
  schema: Schema
  /** Fields that must have these values, for lookup in an index. `test` includes these conditions. */
  equal: ReadonlyMap<string, FieldValue['value']>
  test: (fields: Fields) => boolean
  /** The range of times, both ends included; null for no bound. */
  from: number | null
  until: number | null
  /** Only the first or last points of each series in the range. */
  limit: { side: 'first' | 'last'; count: number } | null
}

/** Reads stored timeseries. */
export interface TimeseriesReader {
  /** null if there is no timeseries of this name */
  schema(name: string): Promise<Schema | null>
  /** Omits series without points in the range. Throws TooManyPoints. */
  read(request: SeriesRequest, maxPoints: number): Promise<StoredSeries[]>
}

/** A read would return more points than allowed. */
export class TooManyPoints extends Error {
  override name = 'TooManyPoints'
}
