/** `align`: values over windows of equal length, on a time grid that ends with the query. */
import { messages } from '@purlin/contract/rules/messages'
import { type AlignMethod, QueryError } from './syntax.ts'
import { type Alignment, during, type Series } from './table.ts'

const maxUpsampling = 100

/** The dimensions that each method makes, in their order. */
export const alignedDimensions = {
  mean_within: ['mean'],
  range_within: ['mean', 'least', 'most'],
} as const satisfies Partial<Record<AlignMethod, readonly string[]>>
export type RunnableMethod = keyof typeof alignedDimensions

/**
 * The values of the window before each output time, which belongs to the window. All series get the same output
 * times, starting at the first that any of them has; before its own first point a series has no values.
 * Throws QueryError.
 */
export function alignSeries(
  series: readonly Series[],
  { method, end, period }: Alignment & { method: RunnableMethod },
  maxPoints: number,
): Series[] {
  checkUpsampling(series, period)
  const started = series.filter(({ timestamps }) => (timestamps[0] ?? Infinity) <= end)
  const first = started.reduce((least, { timestamps }) => Math.min(least, timestamps[0] ?? end), end)
  const count = Math.floor((end - first) / period) + 1
  if (count * started.length > maxPoints) throw new QueryError(messages.tooManyAligned({}))
  const times = Float64Array.from({ length: count }, (_, i) => end - (count - 1 - i) * period)
  const grid = { end, period, times }
  const valuesOf = method === 'range_within' ? rangeOf : meansOf
  return started.map((one) => ({ ...one, timestamps: times, startTimes: null, values: valuesOf(one, grid) }))
}

/**
 * Drops the series of a filtered aligned table that have no complete point, and the times before the first complete
 * point of any. Whether such series and times exist depends on points that the filter excludes.
 */
export function withoutPadding(series: readonly Series[]): Series[] {
  const firsts = series.map(firstComplete)
  const from = firsts.reduce((least, first) => Math.min(least, first), Infinity)
  return series.flatMap((one, i) =>
    firsts[i] === Infinity ? [] : (during(one, [{ from, until: Infinity }]) ?? []),
  )
}
/** The time of the first point that has a value in every dimension. */
const firstComplete = ({ timestamps, values }: Series): number =>
  timestamps.find((_, i) => values.every((of) => !Number.isNaN(of[i]))) ?? Infinity

// A gap is no error: a stopped machine leaves one, and windows without points have no value. Only a period that
// is too short for every pair of neighbouring points is rejected.
function checkUpsampling(series: readonly Series[], period: number): void {
  let smallestGap = Infinity
  for (const { timestamps } of series)
    for (let i = 1; i < timestamps.length; i++) {
      smallestGap = Math.min(smallestGap, (timestamps[i] ?? 0) - (timestamps[i - 1] ?? 0))
      if (smallestGap <= maxUpsampling * period) return
    }
  if (smallestGap === Infinity) return
  throw new QueryError(
    `A table alignment operation may not upsample data by more than a factor of ${maxUpsampling}`,
  )
}

interface Grid extends Alignment {
  times: Float64Array
}

function numbersOf({ values: [values] }: Series): Float64Array {
  if (!(values instanceof Float64Array)) throw new Error('only numbers are aligned')
  return values
}
const noValues = ({ times }: Grid) => new Float64Array(times.length).fill(Number.NaN)

function meansOf(series: Series, grid: Grid): [Float64Array] {
  const values = numbersOf(series)
  const means = noValues(grid)
  const counts = new Uint32Array(grid.times.length)
  const add = (window: number, amount: number) => {
    const sum = means[window] ?? Number.NaN
    means[window] = Number.isNaN(sum) ? amount : sum + amount
  }
  const { timestamps, startTimes } = series
  const first = windowOf(grid, timestamps[0] ?? grid.end)
  for (let i = 0; i < timestamps.length; i++) {
    const at = timestamps[i] ?? 0
    const value = values[i] ?? Number.NaN
    const last = windowOf(grid, at)
    if (last < counts.length) counts[last] = (counts[last] ?? 0) + 1
    if (Number.isNaN(value)) continue
    const from = startTimes?.[i] ?? at
    if (from < at) spread(grid, { from, at, value, first }, add)
    else if (last < means.length) add(last, value)
  }
  return [means.map((sum, i) => sum / Math.max(1, counts[i] ?? 0))]
}

/**
 * The mean of the values in each window, the least and the most of them. A delta that is longer than a window is
 * distributed over its windows; a shorter one belongs to the window that it ends in.
 */
function rangeOf(series: Series, grid: Grid): [Float64Array, Float64Array, Float64Array] {
  const values = numbersOf(series)
  const [means, least, most, spreads] = [noValues(grid), noValues(grid), noValues(grid), noValues(grid)]
  const counts = new Uint32Array(grid.times.length)
  const add = (window: number, value: number) => {
    const count = (counts[window] ?? 0) + 1
    counts[window] = count
    means[window] = count === 1 ? value : (means[window] ?? 0) + value
    least[window] = count === 1 ? value : Math.min(least[window] ?? 0, value)
    most[window] = count === 1 ? value : Math.max(most[window] ?? 0, value)
  }
  const addPart = (window: number, amount: number) => {
    const sum = spreads[window] ?? Number.NaN
    spreads[window] = Number.isNaN(sum) ? amount : sum + amount
  }
  const { timestamps, startTimes } = series
  const first = windowOf(grid, timestamps[0] ?? grid.end)
  for (const [i, value] of values.entries()) {
    const at = timestamps[i] ?? 0
    const from = startTimes?.[i] ?? at
    if (Number.isNaN(value)) continue
    const last = windowOf(grid, at)
    if (at - from > grid.period) spread(grid, { from, at, value, first }, addPart)
    else if (last < means.length) add(last, value)
  }
  for (const [window, sum] of spreads.entries()) if (!Number.isNaN(sum)) add(window, sum)
  return [means.map((sum, i) => sum / Math.max(1, counts[i] ?? 0)), least, most]
}

/** Distributes a value that was counted from one time to another over the windows in between. */
function spread(
  { end, period, times }: Grid,
  point: { from: number; at: number; value: number; first: number },
  add: (window: number, amount: number) => void,
): void {
  const { from, at, value } = point
  const begin = Math.max(point.first, times.length - Math.ceil((end - from) / period))
  for (let window = begin; window < times.length; window++) {
    const closes = times[window] ?? 0
    const covered = Math.min(closes, at) - Math.max(closes - period, from)
    if (covered > 0) add(window, (value * covered) / (at - from))
    if (closes >= at) break
  }
}

/** The index of the window that contains a time; past the last window if the time is after the end. */
const windowOf = ({ end, period, times }: Grid, at: number): number =>
  times.length - 1 - Math.floor((end - at) / period)
