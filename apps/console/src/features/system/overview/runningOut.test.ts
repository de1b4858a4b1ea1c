import { expect, it } from 'vitest'
import { expiringRoots, scarceIn } from './runningOut.ts'

const share = (usable: number, reserved: number) => ({ usable, reserved, used: null })
const trend = (daysUntilFull: number | null) => ({ perDay: 1, daysUntilFull })
const calm = { threads: trend(null), memory: trend(null), storage: trend(null) }
const roomy = { threads: share(100, 10), memory: share(100, 10), storage: share(100, 10) }

it('nothing is scarce while there is room and no end in sight', () => {
  expect(scarceIn({ ...roomy, trends: calm })).toEqual([])
  expect(scarceIn({ ...roomy, trends: { ...calm, memory: trend(91) } })).toEqual([])
})

it('a resource is scarce that is nearly reserved or will be full soon', () => {
  expect(
    scarceIn({
      ...roomy,
      threads: share(100, 80),
      trends: { ...calm, memory: trend(12.5) },
    }),
  ).toEqual([
    { key: 'threads', level: 'critical', free: 20, percent: 80 },
    { key: 'memory', level: 'fine', free: 90, percent: 10 },
  ])
})

it('of a fleet without sleds nothing is free', () => {
  expect(scarceIn({ ...roomy, threads: share(0, 4), trends: calm })).toEqual([
    { key: 'threads', level: 'critical', free: 0, percent: 100 },
  ])
})

it('storage of an unknown size does not run out', () => {
  expect(scarceIn({ ...roomy, storage: share(0, 10), trends: calm })).toEqual([])
})

it('a trust root runs out in the last 30 days before it expires', () => {
  const root = (id: string, days: number) => ({
    id,
    rootRole: { signed: { expires: new Date(Date.now() + days * 86_400_000).toISOString() } },
  })
  const roots = [root('soon', 29), root('later', 31), root('past', -1), { id: 'none', rootRole: {} }]
  expect(expiringRoots(roots).map(({ id }) => id)).toEqual(['soon', 'past'])
})
