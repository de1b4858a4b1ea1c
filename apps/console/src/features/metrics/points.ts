/** Turns the answer to a query into the data of a chart. */
import type { Result } from '@purlin/contract/op'
import type { timeseriesQuery } from '@purlin/contract/operations/timeseries'
import type { ChartData, TimeRange } from '#/ui/chart/data.ts'

/** The answer to a query. */
export type Answer = Result<typeof timeseriesQuery>
/** One series of an answer. */
export type Timeseries = Answer['tables'][number]['timeseries'][number]

/** The sum over series at each time. */
interface Sums {
  times: number[]
  values: (number | null)[]
  /** the number of series */
  count: number
}

/** How a sum becomes the line of a chart; `count` is the number of series in it. */
export interface Line {
  label: string | ((count: number) => string)
  convert?: (sum: number, count: number) => number
}

/** The values of a series of numbers. */
export const valuesOf = ({ points }: Timeseries): readonly (number | null)[] => {
  const values = points.values[0]?.values
  return values?.type === 'double' || values?.type === 'integer' ? values.values : []
}

/**
 * Sums series by timestamp, since they may start at different times. The first point of each is left out, because
 * that of a counter is everything counted before.
 */
function sumUp(series: readonly Timeseries[]): Sums {
  const sums = new Map<number, number | null>()
  for (const one of series) {
    const values = valuesOf(one)
    const first = values.findIndex((value) => value !== null)
    for (const [i, time] of one.points.timestamps.entries()) {
      if (i <= first) continue
      const at = Date.parse(time)
      const [value, sum] = [values[i] ?? null, sums.get(at) ?? null]
      sums.set(at, value === null || sum === null ? (value ?? sum) : value + sum)
    }
  }
  const times = [...sums.keys()].toSorted((a, b) => a - b)
  return { times, values: times.map((time) => sums.get(time) ?? null), count: series.length }
}

/** The range of a query, and the length of its windows in seconds. */
export interface QueryWindow {
  range: TimeRange
  window: number
}

/** The line of a chart: the values within the range, with gaps where points are missing. */
export function chartOf(answer: Answer, { range, window }: QueryWindow, { label, convert }: Line): ChartData {
  const { times, values, count } = sumUp(answer.tables[0]?.timeseries ?? [])
  const line = { times: [] as number[], values: [] as (number | null)[] }
  const push = (time: number, value: number | null) => {
    line.times.push(time)
    line.values.push(value)
  }
  const name = typeof label === 'string' ? label : label(count)
  let before = Number.NaN
  for (const [i, time] of times.entries()) {
    if (time < range.start || time > range.end) continue
    if (time - before > 1500 * window) push(before + 1000 * window, null)
    const value = values[i] ?? null
    push(time, value === null || !convert ? value : convert(value, count))
    before = time
  }
  return { times: line.times, series: count === 0 ? [] : [{ label: name, values: line.values }] }
}
