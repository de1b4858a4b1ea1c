/** The durations of operations of disks, which QEMU counts in bins. */
import type { Distribution, Measures } from '@purlin/core/ports'
import type { Qmp } from '../qmp/qmp.ts'

/** As QEMU counts them: a bin before the first boundary, one between each two, and one after the last. */
interface Histogram {
  boundaries: number[]
  bins: number[]
}

/** The part of the counters of a disk that latencies are made of. Histograms are missing until they are asked for. */
export interface LatencyCounters {
  rd_latency_histogram?: Histogram
  wr_latency_histogram?: Histogram
  flush_latency_histogram?: Histogram
  rd_total_time_ns: number
  wr_total_time_ns: number
  flush_total_time_ns: number
}

/** 25 µs to 26 s. */
const boundaries = Array.from({ length: 11 }, (_, i) => 25_000 * 4 ** i)
const kinds = [
  ['read', 'rd'],
  ['write', 'wr'],
  ['flush', 'flush'],
] as const

/** Lets QEMU count the durations of all disks. Those that it counts already, for a process before, go on. */
export async function measureLatencies(qmp: Qmp): Promise<void> {
  const disks = await qmp.run<{ qdev?: string; stats: LatencyCounters }[]>('query-blockstats')
  for (const { qdev: id, stats } of disks)
    if (id && !stats.rd_latency_histogram) await qmp.run('block-latency-histogram-set', { id, boundaries })
}

/** The series of durations, in ns; none if one of the samples has no histogram. */
export function latencies(samples: readonly LatencyCounters[]): Measures['series'] {
  return kinds.flatMap(([kind, word]) => {
    const values = samples.flatMap((one) => {
      const histogram = one[`${word}_latency_histogram`]
      return histogram ? [distributionOf(histogram, one[`${word}_total_time_ns`])] : []
    })
    const isWhole = values.length > 0 && values.length === samples.length
    return isWhole ? [{ metric: 'io_latency', labels: { io_kind: kind }, values }] : []
  })
}

/** QEMU keeps the sum and the bins. The rest is estimated by the bounds of the bins. */
function distributionOf({ boundaries: bounds, bins }: Histogram, sum: number): Distribution {
  const edges = [0, ...bounds]
  const count = bins.reduce((all, one) => all + one, 0)
  const first = bins.findIndex((one) => one > 0)
  const last = bins.findLastIndex((one) => one > 0)
  const upper = (i: number) => edges[i + 1] ?? (edges[i] ?? 0) * 2
  const mean = count > 0 ? sum / count : 0
  const spread = bins.map((one, i) => one * (((edges[i] ?? 0) + upper(i)) / 2 - mean) ** 2)
  return {
    edges,
    counts: bins,
    min: first < 0 ? 0 : (edges[first] ?? 0),
    max: last < 0 ? 0 : upper(last),
    sum,
    squaredMean: spread.reduce((all, one) => all + one, 0),
  }
}
