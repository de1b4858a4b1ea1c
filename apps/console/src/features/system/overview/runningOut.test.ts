import { expect, it } from 'vitest'
import { scarceIn } from './runningOut.ts'

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
