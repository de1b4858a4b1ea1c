/** Counters as differences: each point says what was counted since the one before it. */
import type { Histogram } from '../timeseries/model.ts'
import { QueryError } from './syntax.ts'
import type { Series, Values } from './table.ts'

/** Where each point begins, and whether it goes on from the one before or counts from its own start. */
interface Stretches {
  startTimes: Float64Array
  goesOn: Uint8Array
}

/** The same points, with what counts from a start time on as differences. Throws QueryError where stretches of counting overlap. */
export function deltaSeries(name: string, series: Series): Series {
  const { timestamps, startTimes } = series
  if (!startTimes) return series
  const stretches = stretchesOf(name, timestamps, startTimes)
  const values = series.values.map((totals) => deltas(totals, stretches.goesOn))
  return { ...series, startTimes: stretches.startTimes, values }
}

function stretchesOf(name: string, timestamps: Float64Array, births: Float64Array): Stretches {
  const startTimes = births.slice()
  const goesOn = new Uint8Array(births.length)
  for (let i = 1; i < births.length; i++) {
    const before = timestamps[i - 1] ?? 0
    const birth = births[i] ?? 0
    if (birth === births[i - 1]) {
      startTimes[i] = before
      goesOn[i] = 1
    } else if (birth < before) {
      throw new QueryError(`Points of a series of ${name} overlap: one begins before the one before it ends`)
    }
  }
  return { startTimes, goesOn }
}

const deltas = (totals: Values, goesOn: Uint8Array): Values =>
  totals instanceof Float64Array ? differences(totals, goesOn) : totals.map(histogramDelta(goesOn))

function differences(totals: Float64Array, goesOn: Uint8Array): Float64Array {
  const result = totals.slice()
  let last = Number.NaN
  for (let i = 0; i < totals.length; i++) {
    const total = totals[i] ?? Number.NaN
    if (goesOn[i] !== 1) last = Number.NaN
    // A missing total is skipped: the next one counts from the one before it.
    if (Number.isNaN(total)) continue
    if (!Number.isNaN(last)) result[i] = total - last
    last = total
  }
  return result
}

function histogramDelta(goesOn: Uint8Array) {
  let last: Histogram | null = null
  return (value: boolean | string | Histogram | null, i: number): Histogram | null => {
    if (goesOn[i] !== 1) last = null
    if (value === null || typeof value !== 'object') return null
    const delta = last && sameEdges(last, value) ? subtract(value, last) : value
    last = value
    return delta
  }
}
const sameEdges = (a: Histogram, b: Histogram): boolean =>
  a.edges === b.edges ||
  (a.edges.length === b.edges.length && a.edges.every((edge, i) => edge === b.edges[i]))

// Least, largest and quantiles are known of all samples since the start only. The first two bound those
// of the difference; of its quantiles they say nothing.
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

/** The sum of squared distances from the mean: what the total has beyond both parts comes from their means. */
function squaresOf(part: Pick<Histogram, 'counts' | 'sum'>, total: Histogram, before: Histogram): number {
  const [n, m] = [samplesIn(part.counts), samplesIn(before.counts)]
  if (n === 0 || m === 0) return n === 0 ? 0 : total.squaredMean
  const apart = part.sum / n - before.sum / m
  return Math.max(0, total.squaredMean - before.squaredMean - (apart * apart * n * m) / (n + m))
}
