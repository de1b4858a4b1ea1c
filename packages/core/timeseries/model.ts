/**
 * What producers, the store and queries agree on. All times are milliseconds since 1970 (UTC), with
 * fractions. Counters are exact up to 2^53 and lose their last digits beyond it.
 */
import type { datumTypes, fieldTypes, units } from '@purlin/contract/rules/timeseries'

/** The type of a field: of what a series belongs to, or of a property of the metric. */
export type FieldType = (typeof fieldTypes)[number]
export interface FieldValue {
  type: FieldType
  value: string | number | boolean
}
export type Fields = Record<string, FieldValue>

/** The type of one measured value. `cumulative_*` and `histogram_*` count from a start time on. */
export type DatumType = (typeof datumTypes)[number]

export type Units = (typeof units)[number]

/** What is known of all series of one name. */
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

/** What producers count. `edges[i]` is where bin i begins; the last bin has no end. */
export interface Distribution {
  edges: readonly number[]
  counts: readonly number[]
  min: number
  max: number
  sum: number
  /** sum of the squared distances from the mean */
  squaredMean: number
}

/** A distribution since its start. The quantiles are estimated from the bins. */
export interface Histogram extends Distribution {
  p50: number | null
  p90: number | null
  p99: number | null
}

/**
 * The points of a series, oldest first: parallel arrays of one length. `startTimes` only for what counts
 * from a start time on. Values are as they were measured: counters and histograms hold their total since
 * the start. Missing is NaN in numbers and null in anything else.
 */
export interface Points {
  timestamps: Float64Array
  startTimes: Float64Array | null
  values:
    | { kind: 'numbers'; of: Float64Array }
    | { kind: 'others'; of: (boolean | string | Histogram | null)[] }
}

export interface StoredSeries {
  /** the same for the same fields, and different otherwise; orders the series of a table */
  key: string
  fields: Fields
  points: Points
}

/** Which points to read. */
export interface SeriesRequest {
  schema: Schema
  /** Field values that every series asked for has: what an index may use. `test` says it all. */
  equal: ReadonlyMap<string, FieldValue['value']>
  test: (fields: Fields) => boolean
  /** Points before `from` and after `until` are not asked for; both ends belong to the range. */
  from: number | null
  until: number | null
  /** Of each series only this many, from its first or its last in the range. */
  limit: { side: 'first' | 'last'; count: number } | null
}

/** Reading what is stored. */
export interface TimeseriesReader {
  /** null: there is no such name */
  schema(name: string): Promise<Schema | null>
  /** Series without a point in the range are left out. Throws TooManyPoints. */
  read(request: SeriesRequest, maxPoints: number): Promise<StoredSeries[]>
}

/** A read would touch more points than allowed. */
export class TooManyPoints extends Error {
  override name = 'TooManyPoints'
}
