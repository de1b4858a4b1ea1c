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

it('a value without neighbours is found', () => {
  expect(lonely([1, null, 2, 3, null, 4, null])).toEqual([0, 5])
  expect(lonely([null, 1])).toEqual([1])
  expect(lonely([])).toEqual([])
})
