import { expect, it } from 'vitest'
import { createCheckpoint } from './checkpoint.ts'

it('other work runs after many points, not after each', async () => {
  const checkpoint = createCheckpoint({ now: () => 0 })
  let hasYielded = false
  setImmediate(() => (hasYielded = true))
  for (let i = 0; i < 4; i++) await checkpoint(1000)
  expect(hasYielded).toBe(false)
  await checkpoint(1000)
  expect(hasYielded).toBe(true)
})

it('a query fails when it takes too long', async () => {
  let now = 5000
  const checkpoint = createCheckpoint({ now: () => now })
  now += 10_000
  await checkpoint(1)
  now += 1
  await expect(checkpoint(0)).rejects.toThrow('The query took longer than 10 seconds')
})
