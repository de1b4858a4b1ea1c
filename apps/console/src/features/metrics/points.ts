/** Turns the answer to a query into the data of a chart. */
import type { Result } from '@purlin/contract/op'
import type { timeseriesQuery } from '@purlin/contract/operations/metrics/timeseries'
import type { ChartData, TimeRange } from '#/ui/chart/data.ts'

/** The answer to a query. */
export type Answer = Result<typeof timeseriesQuery>
/** One series of an answer. */
export type Timeseries = Answer['tables'][number]['timeseries'][number]

/** The sum over series at each time. */
interface Sums {
  times: number[]
  values: (number | null)[]
}

/** How a sum becomes the line of a chart; `count` is the number of series in it. */
export interface Line {
  label: string | ((count: number) => string)
  convert?: (sum: number, count: number) => number
  /** The series are of one thing, from several sources: at each time the lowest that has a value counts, not their sum. */
  rank?: (series: Timeseries) => number
}

/** The dimensions of a series with ranges. */
const dimensions = { mean: 0, least: 1, most: 2 } as const

/** True if an answer has the minimum and maximum of each window in addition to its mean. */
export const hasRange = ({ tables }: Answer): boolean =>
  tables[0]?.timeseries[0]?.points.values.length === Object.keys(dimensions).length

/** The values of a series of numbers, in its only dimension or another. */
export const valuesOf = (
  { points }: Timeseries,
  dimension: number = dimensions.mean,
): readonly (number | null)[] => {
  const values = points.values[dimension]?.values
  return values?.type === 'double' || values?.type === 'integer' ? values.values : []
}

/** The points of a series that were measured, without the first, which is everything counted before. */
export function seriesPoints(series: Timeseries): { at: number; value: number }[] {
  const { times, values } = sumUp([series], dimensions.mean)
  return times.flatMap((at, i) => {
    const value = values[i]
    return value == null ? [] : [{ at, value }]
  })
}

/**
 * Sums series by timestamp, since they may start at different times. The first point of each is left out, because
 * that of a counter is everything counted before. With `isFirst`, the first of them that has a value counts alone.
 */
function sumUp(series: readonly Timeseries[], dimension: number, isFirst = false): Sums {
  const sums = new Map<number, number | null>()
  for (const one of series) {
    const values = valuesOf(one, dimension)
    const first = values.findIndex((value) => value !== null)
    for (const [i, time] of one.points.timestamps.entries()) {
      if (i <= first) continue
      const at = Date.parse(time)
      const [value, sum] = [values[i] ?? null, sums.get(at) ?? null]
      sums.set(at, value === null || sum === null ? (value ?? sum) : isFirst ? sum : value + sum)
    }
  }
  const times = [...sums.keys()].toSorted((a, b) => a - b)
  return { times, values: times.map((time) => sums.get(time) ?? null) }
}

/** The range of a query, and the length of its windows in seconds. */
export interface QueryWindow {
  range: TimeRange
  window: number
}

/**
 * The line of a chart: the values within the range, with gaps where points are missing. An answer with ranges is a sum of
 * `sumOf` series already. With ranges the line ends with its last value, but for a sum before that: not all samples of
 * its window have been collected.
 */
export function chartOf(
  answer: Answer,
  { range, window }: QueryWindow,
  { label, convert, rank, sumOf }: Line & { sumOf?: number | undefined },
): ChartData {
  const all = answer.tables[0]?.timeseries ?? []
  const series = rank ? all.toSorted((a, b) => rank(a) - rank(b)) : all
  if (series.length === 0) return { times: [], series: [] }
  const isRange = hasRange(answer)
  const isSum = isRange && sumOf !== undefined
  const count = isSum ? sumOf : series.length
  const line = (dimension: number) => {
    const sums = sumUp(series, dimension, rank !== undefined)
    const last = sums.values.findLastIndex((value) => value !== null)
    if (isRange) sums.values.length = sums.times.length = isSum ? Math.max(0, last) : last + 1
    const converted = convert
      ? sums.values.map((value) => (value === null ? null : convert(value, count)))
      : sums.values
    return withGaps({ times: sums.times, values: converted }, { range, window })
  }
  const { times, values } = line(dimensions.mean)
  const name = typeof label === 'string' ? label : label(count)
  if (!isRange) return { times, series: [{ label: name, values }] }
  const least = line(dimensions.least).values
  const most = line(dimensions.most).values
  const isWide = least.some((value, i) => value !== most[i])
  return { times, series: [{ label: name, values, ...(isWide ? { range: { least, most } } : {}) }] }
}

function withGaps(sums: Sums, { range, window }: QueryWindow): Sums {
  const line: Sums = { times: [], values: [] }
  const push = (time: number, value: number | null) => {
    line.times.push(time)
    line.values.push(value)
  }
  let before = Number.NaN
  for (const [i, time] of sums.times.entries()) {
    if (time < range.start || time > range.end) continue
    if (time - before > 1500 * window) push(before + 1000 * window, null)
    push(time, sums.values[i] ?? null)
    before = time
  }
  return line
}
