/** The tables that operations work on. */
import type { Fields, FieldType, Histogram } from '#/timeseries/model.ts'
import type { Spans } from './spans.ts'

export type MetricType = 'gauge' | 'delta'
export type DataType =
  | 'integer'
  | 'double'
  | 'boolean'
  | 'string'
  | 'integer_distribution'
  | 'double_distribution'

/** Output times are `end`, `end - period` and so on, in ms. */
export interface Alignment {
  end: number
  period: number
}
export interface Dimension {
  metric: MetricType
  type: DataType
}
/** The known facts of a table before points are read. */
export interface Shape {
  name: string
  fields: ReadonlyMap<string, FieldType>
  dimensions: readonly Dimension[]
  alignment: Alignment | null
}

/** One value per point. A missing value is NaN in numbers and null in anything else. */
export type Values = Float64Array | readonly (boolean | string | Histogram | null)[]
/** The points of a series, oldest first: arrays of equal length, one of `values` per dimension. */
export interface Series {
  key: string
  fields: Fields
  timestamps: Float64Array
  /** the start of each point of a delta, otherwise null */
  startTimes: Float64Array | null
  values: readonly Values[]
}
export interface Table {
  shape: Shape
  series: readonly Series[]
}

const numeric: readonly DataType[] = ['integer', 'double']
export const isNumeric = (type: DataType | undefined): boolean => type !== undefined && numeric.includes(type)
export const isDistribution = (type: DataType): boolean => type.endsWith('_distribution')

/** The dimension of a one-dimensional table, otherwise undefined. */
export const onlyDimension = ({ dimensions }: Shape): Dimension | undefined =>
  dimensions.length === 1 ? dimensions[0] : undefined

/** A key of the values of the fields `names`, in that order. */
export const keyOf = (fields: Fields, names: Iterable<string>): string =>
  JSON.stringify(Array.from(names, (name) => fields[name]?.value ?? null))

/** The points at ascending `indices`; the series itself if these are all of its points. */
export function pick(series: Series, indices: Uint32Array): Series {
  if (indices.length === series.timestamps.length) return series
  const numbers = (of: Float64Array) => Float64Array.from(indices, (i) => of[i] ?? Number.NaN)
  return {
    ...series,
    timestamps: numbers(series.timestamps),
    startTimes: series.startTimes && numbers(series.startTimes),
    values: series.values.map((of) =>
      of instanceof Float64Array ? numbers(of) : Array.from(indices, (i) => of[i] ?? null),
    ),
  }
}

/** The points from index `from` to before index `to`. */
export function slice(series: Series, from: number, to: number): Series {
  if (from === 0 && to === series.timestamps.length) return series
  return {
    ...series,
    timestamps: series.timestamps.subarray(from, to),
    startTimes: series.startTimes?.subarray(from, to) ?? null,
    values: series.values.map((of) =>
      of instanceof Float64Array ? of.subarray(from, to) : of.slice(from, to),
    ),
  }
}

/** The points in these spans; null if there is none. */
export function during(series: Series, spans: Spans): Series | null {
  const { timestamps } = series
  const ranges = spans
    .map(({ from, until }) => ({
      start: firstAfter(timestamps, from, true),
      end: firstAfter(timestamps, until, false),
    }))
    .filter(({ start, end }) => start < end)
  const [only, ...more] = ranges
  if (!only) return null
  if (more.length === 0) return slice(series, only.start, only.end)
  return pick(
    series,
    Uint32Array.from(
      ranges.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)),
    ),
  )
}

/** The index of the first time after `at`, or at it if `orEqual`. */
function firstAfter(times: Float64Array, at: number, orEqual: boolean): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    const time = times[middle] ?? 0
    if (time > at || (orEqual && time === at)) high = middle
    else low = middle + 1
  }
  return low
}
