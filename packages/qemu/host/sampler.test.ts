import { manualClock } from '@purlin/sleds/manual-clock'
import { expect, it } from 'vitest'
import type { Meter } from '../measures/meter.ts'
import { createSampler } from './sampler.ts'

/** Measures nothing, and says when. */
function fake(start: number, answer: () => Promise<void>) {
  const times: number[] = []
  const meter = {
    start,
    nics: [],
    sample: (time: number) => (times.push(time), answer()),
    forget: () => true,
    samples: () => ({ measures: [] }),
  }
  return { times, meter: meter as unknown as Meter }
}

it('a machine that does not answer keeps no other from its samples, and an end is one also while it measures', async () => {
  const clock = manualClock({ start: 0 })
  const sampler = createSampler(clock, 5000, { isRunning: () => true, traffic: async () => [] })
  const stuck = fake(0, () => new Promise(() => {}))
  const other = fake(0, () => Promise.resolve())
  for (const { meter } of [stuck, other]) sampler.add(meter)
  await clock.advance(14_999)
  expect(other.times).toEqual([5000, 10_000])
  expect(sampler.samples(null)).toMatchObject({ until: 10_000 })
  await clock.advance(1)
  sampler.stop()
  await clock.advance(60_000)
  expect(other.times).toEqual([5000, 10_000, 15_000])
  expect(clock.pending()).toBe(0)
})
