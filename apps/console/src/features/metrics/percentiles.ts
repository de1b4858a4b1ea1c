/** Turns distributions, e.g. of latencies, into lines of percentiles. */
import type { ChartData } from '#/ui/chart/data.ts'
import type { Answer, QueryWindow, Timeseries } from './points.ts'

const shares = { p50: 0.5, p90: 0.9, p99: 0.99 }

interface Distribution {
  /** the start of each bin */
  bins: readonly number[]
  counts: readonly number[]
}

/** The number of values by start of the bin. */
type Counts = Map<number, number>

const distributionsOf = ({ points }: Timeseries): readonly (Distribution | null)[] => {
  const values = points.values[0]?.values
  return values?.type === 'integer_distribution' || values?.type === 'double_distribution'
    ? values.values
    : []
}

function add(to: Counts, { bins, counts }: Distribution): void {
  for (const [i, edge] of bins.entries()) to.set(edge, (to.get(edge) ?? 0) + (counts[i] ?? 0))
}

/**
 * The value below which a share of all values lies, interpolated within its bin. The last bin has no end: it is taken
 * to end at twice its start. Null without values.
 */
export function percentile(counts: ReadonlyMap<number, number>, share: number): number | null {
  const edges = [...counts.keys()].toSorted((a, b) => a - b)
  let remaining = share * edges.reduce((sum, edge) => sum + (counts.get(edge) ?? 0), 0)
  for (const [i, edge] of edges.entries()) {
    const count = counts.get(edge) ?? 0
    if (count > 0 && remaining <= count)
      return edge + ((edges[i + 1] ?? 2 * edge) - edge) * (remaining / count)
    remaining -= count
  }
  return null
}

/**
 * Three lines over windows that end with the range. The distributions of all series in a window are merged; the first
 * of each series is left out, because it is everything counted before.
 */
export function percentilesOf(answer: Answer, { range, window }: QueryWindow): ChartData {
  const width = 1000 * window
  const windows = new Map<number, Counts>()
  const series = answer.tables[0]?.timeseries ?? []
  for (const one of series) {
    const values = distributionsOf(one)
    for (const [i, time] of one.points.timestamps.entries()) {
      const [at, value] = [Date.parse(time), values[i]]
      if (i === 0 || !value || at <= range.start || at > range.end) continue
      const end = range.end - Math.floor((range.end - at) / width) * width
      const counts = windows.get(end) ?? new Map<number, number>()
      add(counts, value)
      windows.set(end, counts)
    }
  }
  const count = series.length === 0 ? 0 : Math.floor((range.end - range.start) / width)
  const times = Array.from({ length: count }, (_, i) => range.end - (count - 1 - i) * width)
  return {
    times,
    series: Object.entries(shares).map(([label, share]) => ({
      label,
      values: times.map((time) => percentile(windows.get(time) ?? new Map(), share)),
    })),
  }
}
