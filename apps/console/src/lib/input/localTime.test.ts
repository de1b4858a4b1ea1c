import { expect, it } from 'vitest'
import { localTimeProblem, toLocalText } from './localTime.ts'

const noon = new Date(2030, 0, 2, 12, 30)

it('a date field has the time in the zone of the browser', () => {
  expect(toLocalText(noon)).toBe('2030-01-02T12:30')
  expect(toLocalText(null)).toBe('')
  expect(new Date(toLocalText(noon))).toEqual(noon)
})

it('a text that is no time is refused, and an empty one is none', () => {
  expect(localTimeProblem('2030-01-02T12:30')).toBeUndefined()
  expect(localTimeProblem('')).toBeUndefined()
  expect(localTimeProblem('soon')).toBe('Enter a date and a time')
})
