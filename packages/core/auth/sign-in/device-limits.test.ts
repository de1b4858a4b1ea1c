import { manualClock } from '@purlin/sleds/manual-clock'
import { expect, it } from 'vitest'
import { createDeviceLimits } from './device-limits.ts'

const wrong = () => Promise.resolve(null)
const right = () => Promise.resolve('found')

it('strangers who guess codes do not keep users at their address from confirming one, nor the other way round', async () => {
  const limits = createDeviceLimits({ clock: manualClock() })
  const remote = '192.0.2.1'
  for (let i = 0; i < 61; i++) await limits.guess({ remote }, wrong)
  await expect(limits.guess({ remote }, right)).rejects.toMatchObject({ status: 429 })
  expect(await limits.guess({ remote, userId: 'ann' }, right)).toBe('found')
  for (let i = 0; i < 61; i++) await limits.guess({ remote: '192.0.2.2', userId: 'bob' }, wrong)
  await expect(limits.guess({ remote: '192.0.2.3', userId: 'bob' }, right)).rejects.toMatchObject({
    status: 429,
  })
  expect(await limits.guess({ remote: '192.0.2.2' }, right)).toBe('found')
})
