/** What simulated machines do all day, as functions of time: nothing has to be counted along the way. */
import type { Distribution } from '@purlin/core/ports'
import { hash32, mix32 } from './hash.ts'

/** From 0 (included) to 1 (not included), the same for the same words. */
const chance = (...words: (string | number)[]): number => hash32(words.join(' '), 7) / 2 ** 32

// Days, and two shorter ups and downs: how long, and by what share of the mean.
const waves = [
  { seconds: 86_400, depth: 0.25 },
  { seconds: 2_700, depth: 0.2 },
  { seconds: 300, depth: 0.15 },
] as const
// Of the least that a wave leaves of the mean: so noise never makes a counter fall.
const noise = 0.3

/** A count that grows by about `perSecond` from `start` on. Times in ms; `step` is the least distance of two. */
export interface Activity {
  seed: string
  perSecond: number
  start: number
  step: number
}

/** How far an activity has come at a time; never falls. */
function total({ seed, perSecond, start, step }: Activity): (time: number) => number {
  const parts = waves.map(({ seconds, depth }, i) => {
    const turn = (2 * Math.PI) / seconds
    const phase = 2 * Math.PI * chance(seed, i)
    return { size: (perSecond * depth) / turn, at: (time: number) => Math.cos(phase + (turn * time) / 1000) }
  })
  const before = parts.map(({ at }) => at(start))
  const seedNumber = hash32(seed, 3)
  const jitter = (time: number) =>
    // Nothing in the first step: it may be too short for that.
    time < start + step ? 0 : (noise * step * mix32(seedNumber ^ Math.floor(time / step))) / 2 ** 32
  return (time) => {
    const even = (perSecond * (time - start + jitter(time))) / 1000
    const swing = parts.reduce((sum, { size, at }, i) => sum + size * ((before[i] ?? 0) - at(time)), 0)
    return even + swing
  }
}

/** How much of its time each vCPU of a machine spends in a state, in nanoseconds. */
export function vcpu({ id, start, step }: { id: string; start: number; step: number }, number: number) {
  const busy = (state: string, share: number) =>
    total({ seed: `${id} ${number} ${state}`, perSecond: share * 1e9, start, step })
  const states = {
    run: busy('run', 0.04 + 0.36 * chance(id, 'load') + 0.05 * chance(id, number)),
    waiting: busy('waiting', 0.01 + 0.02 * chance(id, 'waiting')),
    emulation: busy('emulation', 0.005 + 0.01 * chance(id, 'emulation')),
  }
  return (time: number) => {
    const run = Math.floor(states.run(time))
    const waiting = Math.floor(states.waiting(time))
    const emulation = Math.floor(states.emulation(time))
    return { run, waiting, emulation, idle: Math.round((time - start) * 1e6) - run - waiting - emulation }
  }
}

/** Operations that are alike: their share of all, how large they are and how long they take. */
interface Sort {
  share: number
  bytes: number
  nanoseconds: number
}
const kinds = {
  read: [
    { share: 0.55, bytes: 4_096, nanoseconds: 90_000 },
    { share: 0.25, bytes: 16_384, nanoseconds: 160_000 },
    { share: 0.15, bytes: 65_536, nanoseconds: 420_000 },
    { share: 0.05, bytes: 262_144, nanoseconds: 2_400_000 },
  ],
  write: [
    { share: 0.6, bytes: 4_096, nanoseconds: 140_000 },
    { share: 0.3, bytes: 32_768, nanoseconds: 380_000 },
    { share: 0.1, bytes: 131_072, nanoseconds: 1_700_000 },
  ],
  flush: [
    { share: 0.9, bytes: 0, nanoseconds: 1_100_000 },
    { share: 0.1, bytes: 0, nanoseconds: 7_500_000 },
  ],
} satisfies Record<string, Sort[]>
export type IoKind = keyof typeof kinds
export const ioKinds = Object.keys(kinds) as IoKind[]

const latencyEdges = [0, ...Array.from({ length: 11 }, (_, i) => 25_000 * 2 ** i)]
const sizeEdges = [0, ...Array.from({ length: 9 }, (_, i) => 4_096 * 2 ** i)]

/** The operations of one kind on a disk. */
export function operations(disk: { id: string; start: number; step: number }, kind: IoKind) {
  const { id, ...when } = disk
  const often = { read: 60, write: 40, flush: 2 }[kind] * (0.1 + chance(id, kind))
  const count = total({ seed: `${id} ${kind}`, perSecond: often, ...when })
  const slowness = 0.7 + chance(id, 'slowness')
  const sorts: Sort[] = kinds[kind].map((sort) => ({
    ...sort,
    nanoseconds: Math.round(sort.nanoseconds * slowness),
  }))
  return (time: number) => {
    const all = count(time)
    const counts = sorts.map(({ share }) => Math.floor(all * share))
    const of = (key: 'bytes' | 'nanoseconds') => sorts.map((sort) => sort[key])
    return {
      count: counts.reduce((sum, one) => sum + one, 0),
      bytes: counts.reduce((sum, one, i) => sum + one * (sorts[i]?.bytes ?? 0), 0),
      latency: distribution(latencyEdges, of('nanoseconds'), counts),
      size: distribution(sizeEdges, of('bytes'), counts),
    }
  }
}

function distribution(
  edges: readonly number[],
  values: readonly number[],
  times: readonly number[],
): Distribution {
  const counts = edges.map(() => 0)
  let [count, sum, min, max] = [0, 0, 0, 0]
  for (const [i, value] of values.entries()) {
    const often = times[i] ?? 0
    if (often === 0) continue
    const bin = edges.findLastIndex((edge) => edge <= value)
    counts[bin] = (counts[bin] ?? 0) + often
    min = count === 0 ? value : Math.min(min, value)
    max = Math.max(max, value)
    count += often
    sum += often * value
  }
  const mean = count > 0 ? sum / count : 0
  const squaredMean = values.reduce((all, value, i) => all + (times[i] ?? 0) * (value - mean) ** 2, 0)
  return { edges, counts, min, max, sum, squaredMean: Math.round(squaredMean) }
}

/** What passes an interface in one direction. */
export function traffic(nic: { id: string; start: number; step: number }, direction: 'sent' | 'received') {
  const { id, ...when } = nic
  const packets = total({ seed: `${id} ${direction}`, perSecond: 20 + 400 * chance(id, direction), ...when })
  const size = Math.round(120 + 900 * chance(id, direction, 'size'))
  return (time: number) => {
    const count = Math.floor(packets(time))
    return { packets: count, bytes: count * size, dropped: Math.floor(count / 2e6) }
  }
}
