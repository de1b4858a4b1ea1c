/** Counters as deltas: each point has the increase since the previous one. */
import type { Histogram } from '#/timeseries/model.ts'
import { QueryError } from './syntax.ts'
import type { Series, Values } from './table.ts'

/** The start of each point, and whether it continues the previous point or starts over. */
interface Intervals {
  startTimes: Float64Array
  continues: Uint8Array
}

/** Converts totals since a start time to deltas. Throws QueryError if intervals of counting overlap. */
export function deltaSeries(name: string, series: Series): Series {
  const { timestamps, startTimes } = series
  if (!startTimes) return series
  const intervals = intervalsOf(name, timestamps, startTimes)
  const values = series.values.map((totals) => deltas(totals, intervals.continues))
  return { ...series, startTimes: intervals.startTimes, values }
}

function intervalsOf(name: string, timestamps: Float64Array, starts: Float64Array): Intervals {
  const startTimes = starts.slice()
  const continues = new Uint8Array(starts.length)
  for (let i = 1; i < starts.length; i++) {
    const previous = timestamps[i - 1] ?? 0
    const start = starts[i] ?? 0
    if (start === starts[i - 1]) {
      startTimes[i] = previous
      continues[i] = 1
    } else if (start < previous) {
      throw new QueryError(`Points of a series of ${name} overlap: one begins before the one before it ends`)
    }
  }
  return { startTimes, continues }
}

const deltas = (totals: Values, continues: Uint8Array): Values =>
  totals instanceof Float64Array ? differences(totals, continues) : totals.map(histogramDelta(continues))

function differences(totals: Float64Array, continues: Uint8Array): Float64Array {
  const result = totals.slice()
  let last = Number.NaN
  for (let i = 0; i < totals.length; i++) {
    const total = totals[i] ?? Number.NaN
    if (continues[i] !== 1) last = Number.NaN
    // A missing total is skipped: the next delta counts from the last known total.
    if (Number.isNaN(total)) continue
    if (!Number.isNaN(last)) result[i] = total - last
    last = total
  }
  return result
}

function histogramDelta(continues: Uint8Array) {
  let last: Histogram | null = null
  return (value: boolean | string | Histogram | null, i: number): Histogram | null => {
    if (continues[i] !== 1) last = null
    if (value === null || typeof value !== 'object') return null
    const delta = last && sameEdges(last, value) ? subtract(value, last) : value
    last = value
    return delta
  }
}
const sameEdges = (a: Histogram, b: Histogram): boolean =>
  a.edges === b.edges ||
  (a.edges.length === b.edges.length && a.edges.every((edge, i) => edge === b.edges[i]))

// Minimum, maximum and quantiles are known only of all samples since the start. The first two are bounds for
// those of the delta; its quantiles are unknown.
function subtract(total: Histogram, before: Histogram): Histogram {
  const counts = total.counts.map((count, i) => count - (before.counts[i] ?? 0))
  const sum = total.sum - before.sum
  return {
    ...total,
    counts,
    sum,
    squaredMean: squaresOf({ counts, sum }, total, before),
    p50: null,
    p90: null,
    p99: null,
  }
}

const samplesIn = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

/**
 * The sum of squared distances from the mean, by the formula for combining two sets of samples: the total exceeds
 * the sum of both by a term that depends on the distance of their means.
 */
function squaresOf(part: Pick<Histogram, 'counts' | 'sum'>, total: Histogram, before: Histogram): number {
  const [n, m] = [samplesIn(part.counts), samplesIn(before.counts)]
  if (n === 0 || m === 0) return n === 0 ? 0 : total.squaredMean
  const apart = part.sum / n - before.sum / m
  return Math.max(0, total.squaredMean - before.squaredMean - (apart * apart * n * m) / (n + m))
}
