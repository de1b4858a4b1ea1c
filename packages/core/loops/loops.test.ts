import { expect, it } from 'vitest'
import { openWorld } from '#/testing/world.ts'

it('a round takes no negative time when the clock is set back in it', async () => {
  const rounds: number[] = []
  const w = await openWorld({ meter: { round: (_loop, _result, ms) => void rounds.push(ms) } })
  const now = w.clock.now.bind(w.clock)
  let setBack = 0
  w.clock.now = () => now() - setBack++
  await w.advance(60_000)
  w.clock.now = now
  expect(rounds.length).toBeGreaterThan(10)
  expect(Math.min(...rounds)).toBe(0)
  expect(w.errors).toEqual([])
  await w.close()
})
