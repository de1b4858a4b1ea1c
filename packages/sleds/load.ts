/** The load of simulated machines as pure functions of time, so that no counters have to be kept. */
import { keysOf } from '@purlin/contract/rules/keys'
import type { Distribution } from '@purlin/core/ports'
import { hash32, mix32 } from './hash.ts'

/** A pseudo-random number from 0 (included) to 1 (excluded), determined by the arguments. */
const chance = (...words: (string | number)[]): number => hash32(words.join(' '), 7) / 2 ** 32

// A daily cycle and two shorter ones; `depth` is the amplitude as a fraction of the mean.
const waves = [
  { seconds: 86_400, depth: 0.25 },
  { seconds: 2_700, depth: 0.2 },
  { seconds: 300, depth: 0.15 },
] as const
// Small enough that noise never makes a counter decrease.
const noise = 0.3

/** A counter that grows by about `perSecond` from `start` on. Times in ms; `step` is the minimum sampling interval. */
export interface Activity {
  seed: string
  perSecond: number
  start: number
  step: number
}

/** The total of an activity as a function of time; never decreases. */
function total({ seed, perSecond, start, step }: Activity): (time: number) => number {
  const parts = waves.map(({ seconds, depth }, i) => {
    const angularFrequency = (2 * Math.PI) / seconds
    const phase = 2 * Math.PI * chance(seed, i)
    return {
      size: (perSecond * depth) / angularFrequency,
      at: (time: number) => Math.cos(phase + (angularFrequency * time) / 1000),
    }
  })
  const before = parts.map(({ at }) => at(start))
  const seedNumber = hash32(seed, 3)
  const jitter = (time: number) =>
    // No noise in the first step, which may be shorter than the others.
    time < start + step ? 0 : (noise * step * mix32(seedNumber ^ Math.floor(time / step))) / 2 ** 32
  return (time) => {
    const even = (perSecond * (time - start + jitter(time))) / 1000
    const swing = parts.reduce((sum, { size, at }, i) => sum + size * ((before[i] ?? 0) - at(time)), 0)
    return even + swing
  }
}

/** The time that a vCPU has spent in each state, in nanoseconds. */
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

/** The memory that a guest uses, in bytes: a part that it always needs, and one that changes over hours. */
export function memoryUsed({ id, start }: { id: string; start: number }, memory: number) {
  const [base, depth] = [0.2 + 0.4 * chance(id, 'memory'), 0.05 + 0.15 * chance(id, 'swing')]
  const phase = 2 * Math.PI * chance(id, 'phase')
  return (time: number) => {
    const boot = Math.min(1, (time - start) / 120_000)
    const swing = depth * Math.sin(phase + (2 * Math.PI * time) / 10_800_000)
    return Math.round(memory * boot * (base + swing))
  }
}

/** A class of similar operations: its share of all operations, and their size and latency. */
interface OperationClass {
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
} satisfies Record<string, OperationClass[]>
export type IoKind = keyof typeof kinds
export const ioKinds = keysOf(kinds)

const latencyEdges = [0, ...Array.from({ length: 11 }, (_, i) => 25_000 * 2 ** i)]
const sizeEdges = [0, ...Array.from({ length: 9 }, (_, i) => 4_096 * 2 ** i)]

/** The totals of one kind of operation on a disk, as a function of time. */
export function operations(disk: { id: string; start: number; step: number }, kind: IoKind) {
  const { id, ...when } = disk
  const perSecond = { read: 60, write: 40, flush: 2 }[kind] * (0.1 + chance(id, kind))
  const count = total({ seed: `${id} ${kind}`, perSecond, ...when })
  const latencyFactor = 0.7 + chance(id, 'slowness')
  const classes: OperationClass[] = kinds[kind].map((one) => ({
    ...one,
    nanoseconds: Math.round(one.nanoseconds * latencyFactor),
  }))
  return (time: number) => {
    const all = count(time)
    const counts = classes.map(({ share }) => Math.floor(all * share))
    const of = (key: 'bytes' | 'nanoseconds') => classes.map((one) => one[key])
    return {
      count: counts.reduce((sum, one) => sum + one, 0),
      bytes: counts.reduce((sum, one, i) => sum + one * (classes[i]?.bytes ?? 0), 0),
      latency: distribution(latencyEdges, of('nanoseconds'), counts),
      size: distribution(sizeEdges, of('bytes'), counts),
    }
  }
}

function distribution(
  edges: readonly number[],
  values: readonly number[],
  numbers: readonly number[],
): Distribution {
  const counts = edges.map(() => 0)
  let [count, sum, min, max] = [0, 0, 0, 0]
  for (const [i, value] of values.entries()) {
    const number = numbers[i] ?? 0
    if (number === 0) continue
    const bin = edges.findLastIndex((edge) => edge <= value)
    counts[bin] = (counts[bin] ?? 0) + number
    min = count === 0 ? value : Math.min(min, value)
    max = Math.max(max, value)
    count += number
    sum += number * value
  }
  const mean = count > 0 ? sum / count : 0
  const squaredMean = values.reduce((all, value, i) => all + (numbers[i] ?? 0) * (value - mean) ** 2, 0)
  return { edges, counts, min, max, sum, squaredMean: Math.round(squaredMean) }
}

/** The totals of the traffic of an interface in one direction, as a function of time. */
export function traffic(nic: { id: string; start: number; step: number }, direction: 'sent' | 'received') {
  const { id, ...when } = nic
  const packets = total({ seed: `${id} ${direction}`, perSecond: 20 + 400 * chance(id, direction), ...when })
  const size = Math.round(120 + 900 * chance(id, direction, 'size'))
  return (time: number) => {
    const count = Math.floor(packets(time))
    return { packets: count, bytes: count * size, dropped: Math.floor(count / 2e6) }
  }
}
