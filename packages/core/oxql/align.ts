/** `align mean_within`: means over windows of one length, on a grid that ends with the query. */
import { QueryError } from './syntax.ts'
import type { Alignment, Series } from './table.ts'

const largestFactor = 100

/**
 * The means of each window before an output time, that time included. All series get the same output
 * times, from the first that any of them has; before its own first one a series has no values. Throws
 * QueryError.
 */
export function alignSeries(series: readonly Series[], alignment: Alignment, mostPoints: number): Series[] {
  const { end, period } = alignment
  refuseUpsampling(series, period)
  const begun = series.filter(({ timestamps }) => (timestamps[0] ?? Infinity) <= end)
  const first = begun.reduce((least, { timestamps }) => Math.min(least, timestamps[0] ?? end), end)
  const count = Math.floor((end - first) / period) + 1
  if (count * begun.length > mostPoints)
    throw new QueryError(
      'The alignments of the query would make too many points: use longer periods, or filter more',
    )
  const times = Float64Array.from({ length: count }, (_, i) => end - (count - 1 - i) * period)
  const grid = { end, period, times }
  return begun.map((one) => ({ ...one, timestamps: times, startTimes: null, values: [meansOf(one, grid)] }))
}

// Gaps are no reason to refuse: a machine that was stopped leaves one, and windows without points have no
// value. What is refused is a period that is too short for any of the points.
function refuseUpsampling(series: readonly Series[], period: number): void {
  let closest = Infinity
  for (const { timestamps } of series)
    for (let i = 1; i < timestamps.length; i++) {
      closest = Math.min(closest, (timestamps[i] ?? 0) - (timestamps[i - 1] ?? 0))
      if (closest <= largestFactor * period) return
    }
  if (closest === Infinity) return
  throw new QueryError(
    `A table alignment operation may not upsample data by more than a factor of ${largestFactor}`,
  )
}

interface Grid extends Alignment {
  times: Float64Array
}

function meansOf(series: Series, grid: Grid): Float64Array {
  const [values] = series.values
  if (!(values instanceof Float64Array)) throw new Error('only numbers are aligned')
  const means = new Float64Array(grid.times.length).fill(Number.NaN)
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
  return means.map((sum, i) => sum / Math.max(1, counts[i] ?? 0))
}

/** Gives each window its share of a value that was counted from one moment to another. */
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

/** The index of the window that a moment lies in; beyond the last one after the end. */
const windowOf = ({ end, period, times }: Grid, at: number): number =>
  times.length - 1 - Math.floor((end - at) / period)
