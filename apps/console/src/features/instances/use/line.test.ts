import { expect, it } from 'vitest'
import { lineOf, wordsOf } from './line.ts'

it('a line has its times from left to right, and 100 percent on top', () => {
  const use = { times: [1000, 2000, 5000], values: [0, 50, 100] }
  expect(lineOf(use, { width: 80, height: 20 })).toBe('0.0,20.0 20.0,10.0 80.0,0.0')
  expect(lineOf({ times: [], values: [] }, { width: 80, height: 20 })).toBe('')
})

it('words say the last value, the least and the most', () => {
  expect(wordsOf('CPU', [12.4, 3, 44.6, 20])).toBe('CPU use 20% now, 3% to 45% in the last hour')
})
