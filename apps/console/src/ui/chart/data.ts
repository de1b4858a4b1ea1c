/** A range of time, in ms since 1970. */
export interface TimeRange {
  start: number
  end: number
}

/** One line of a chart. */
export interface ChartSeries {
  label: string
  /** one for each time; null is a gap */
  values: readonly (number | null)[]
  /** the least and the most that each value stands for, where it stands for several */
  range?: { least: readonly (number | null)[]; most: readonly (number | null)[] }
}

/** The data of a chart: times in ms since 1970, ascending, and as many values in each series. */
export interface ChartData {
  times: readonly number[]
  series: readonly ChartSeries[]
}

/** True if there is a value to draw. */
export const hasValues = ({ series }: ChartData): boolean =>
  series.some(({ values }) => values.some((value) => value !== null))

/** True if values stand for several each. */
export const hasRanges = ({ series }: ChartData): boolean => series.some(({ range }) => range !== undefined)

/** The largest value, 0 if there is none. */
export const largestOf = ({ series }: ChartData): number => {
  let largest = 0
  for (const { values, range } of series)
    for (const value of range?.most ?? values) if (value !== null && value > largest) largest = value
  return largest
}

/** The index of the time that is nearest to `at`; -1 if there are no times. */
export function nearest(times: readonly number[], at: number): number {
  let low = 0
  let high = times.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  const before = times[low - 1]
  const here = times[low]
  if (here === undefined) return -1
  return before !== undefined && at - before < here - at ? low - 1 : low
}

/** As `nearest`, but -1 if that point is further away than the distance between two points of the chart. */
export function pointAt(times: readonly number[], at: number | null): number {
  const found = at === null ? -1 : nearest(times, at)
  const time = times[found]
  if (time === undefined || at === null) return -1
  const step = Math.max((times[found + 1] ?? time) - time, time - (times[found - 1] ?? time))
  return Math.abs(time - at) <= Math.max(step, 1) ? found : -1
}
