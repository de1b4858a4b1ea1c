import { expect, it } from 'vitest'
import { drawn, lonely, ticksFor } from './options.ts'
import { unitOf } from './units.ts'

const data = { times: [1, 2, 3], series: [{ label: 'a', values: [2048, null, 4096] }] }
const unit = unitOf('bytes', 4096)

it('values are drawn in the unit of the chart, gaps stay', () => {
  expect(drawn(data, unit)).toEqual([
    [1, 2, 3],
    [2, null, 4],
  ])
  expect(ticksFor(data, unit)).toEqual([0, 1, 2, 3, 4, 5])
})

it('ranges are drawn after the values, as most and least', () => {
  const range = { least: [1024, null, 0], most: [3072, null, 6144] }
  const ranged = { ...data, series: [{ label: 'a', values: [2048, null, 4096], range }] }
  expect(drawn(ranged, unit)).toEqual([
    [1, 2, 3],
    [2, null, 4],
    [3, null, 6],
    [1, null, 0],
  ])
  expect(ticksFor(ranged, unit).at(-1)).toBeGreaterThanOrEqual(6)
})

it('a value without neighbours is found', () => {
  expect(lonely([1, null, 2, 3, null, 4, null])).toEqual([0, 5])
  expect(lonely([null, 1])).toEqual([1])
  expect(lonely([])).toEqual([])
})
