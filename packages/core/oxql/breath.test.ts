import { expect, it } from 'vitest'
import { createBreath } from './breath.ts'

it('others get their turn after many points, not after each', async () => {
  const breathe = createBreath({ now: () => 0 })
  let isTheirs = false
  setImmediate(() => (isTheirs = true))
  for (let i = 0; i < 49; i++) await breathe(1000)
  expect(isTheirs).toBe(false)
  await breathe(1000)
  expect(isTheirs).toBe(true)
})

it('a query ends when it has taken too long', async () => {
  let now = 5000
  const breathe = createBreath({ now: () => now })
  now += 10_000
  await breathe(1)
  now += 1
  await expect(breathe(0)).rejects.toThrow('The query took longer than 10 seconds')
})
