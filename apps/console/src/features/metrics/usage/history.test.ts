import { expect, it } from 'vitest'
import { stepsOf, withLevel, withLimit } from './history.ts'

const range = { start: 1000, end: 5000 }
const options = { label: 'CPU', now: 4000 }

it('a value counts from its change on, up to now', () => {
  const samples = [
    { at: 3000, value: 8 },
    { at: 2000, value: 4 },
    { at: 500, value: 2 },
  ]
  expect(stepsOf(samples, range, options)).toEqual({
    times: [1000, 2000, 3000, 4000],
    series: [{ label: 'CPU', values: [2, 4, 8, 8] }],
  })
})

it('a level is drawn over the whole range', () => {
  const points = { times: [3000], series: [{ label: 'CPU', values: [4] }] }
  expect(withLevel(points, range, { label: 'Quota', value: 9 })).toEqual({
    times: [1000, 3000],
    series: [
      { label: 'CPU', values: [null, 4] },
      { label: 'Quota', values: [9, 9] },
    ],
  })
})

it('nothing is drawn of what was never provisioned', () => {
  expect(stepsOf([], range, options)).toEqual({ times: [], series: [] })
})

it('a range that has ended is drawn to its end', () => {
  expect(stepsOf([{ at: 1, value: 3 }], range, { ...options, now: 9000 }).times).toEqual([1000, 5000])
})

it('a limit is a line where it is near, and would press the values to the ground where it is not', () => {
  const range = { start: 0, end: 100 }
  const data = { times: [10, 100], series: [{ label: 'CPU', values: [3, 5] }] }
  const limited = (value: number | undefined) => withLimit(data, range, { label: 'Quota now', value })
  expect(limited(20)).toEqual({
    times: [0, 10, 100],
    series: [
      { label: 'CPU', values: [null, 3, 5] },
      { label: 'Quota now', values: [20, 20, 20] },
    ],
  })
  expect(limited(21)).toBe(data)
  expect(limited(undefined)).toBe(data)
})
