/** The results of a benchmark. */
import { keysOf, recordOf } from '@purlin/contract/rules/keys'
import type { Load, Speed } from './load.ts'

export type Unit = '/s' | 'ms' | '×' | '%' | 'MB' | 'kB' | 'MB/s' | 's/GiB' | 'score' | 'count'
export interface Figure {
  name: string
  value: number
  unit: Unit
}

/** How long and how often everything is measured. */
export type Pace = Pick<Load, 'warmSeconds' | 'seconds'> & { rounds: number }

// Answers with status 5xx. There is such a figure only if there are some.
export const failures = 'failed'

export const speedFigures = (name: string, { rps, p50, p99, failed }: Speed): Figure[] => [
  { name: `${name}: answers`, value: rps, unit: '/s' },
  { name: `${name}: p50`, value: p50, unit: 'ms' },
  { name: `${name}: p99`, value: p99, unit: 'ms' },
  ...(failed > 0 ? [{ name: `${name}: ${failures}`, value: failed, unit: '%' } as const] : []),
]

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = low] = sorted.length % 2 ? [sorted[middle]] : [sorted[middle - 1], sorted[middle]]
  return (low + high) / 2
}

/** Each number at its own median; failures at their worst. */
export const medianSpeed = (rounds: readonly Speed[]): Speed => ({
  rps: median(rounds.map((one) => one.rps)),
  p50: median(rounds.map((one) => one.p50)),
  p99: median(rounds.map((one) => one.p99)),
  failed: Math.max(...rounds.map((one) => one.failed)),
})

/** Measures in turn, so that other load on the machine slows all alike. */
export async function byTurns<K extends string>(
  rounds: number,
  each: Record<K, () => Promise<Speed>>,
): Promise<Record<K, Speed[]>> {
  const names = keysOf(each)
  const found = recordOf(names, (): Speed[] => [])
  for (let round = 0; round < rounds; round++) for (const name of names) found[name].push(await each[name]())
  return found
}
