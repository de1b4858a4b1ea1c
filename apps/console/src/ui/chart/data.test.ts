import { describe, expect, it } from 'vitest'
import { hasValues, largestOf, nearest, pointAt } from './data.ts'

const series = (values: (number | null)[]) => ({ label: 'a', values })

describe('the point at a moment', () => {
  it('is the nearest one', () => {
    const times = [10, 20, 40]
    expect([0, 14, 16, 29, 31, 99].map((at) => nearest(times, at))).toEqual([0, 0, 1, 1, 2, 2])
    expect(nearest([], 5)).toBe(-1)
  })
  it('is none where the points lie closer together than the nearest one is away', () => {
    const times = [10, 20, 30]
    expect([5, 24, 39, 41].map((at) => pointAt(times, at))).toEqual([0, 1, 2, -1])
    expect(pointAt(times, null)).toBe(-1)
    expect(pointAt([], 1)).toBe(-1)
  })
})

describe('data', () => {
  it('has values if any line has one', () => {
    expect(hasValues({ times: [1, 2], series: [series([null, null]), series([null, 0])] })).toBe(true)
    expect(hasValues({ times: [1, 2], series: [series([null, null])] })).toBe(false)
  })
  it('has a largest value over all lines, also if there are very many', () => {
    const many = Array.from({ length: 300_000 }, (_, i) => i)
    expect(largestOf({ times: many, series: [series(many), series([null])] })).toBe(299_999)
    expect(largestOf({ times: [1], series: [series([null])] })).toBe(0)
  })
})
