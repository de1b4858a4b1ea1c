import { describe, expect, it } from 'vitest'
import { timeTick, valueTicks } from './axis.ts'

describe('the value axis', () => {
  it('has six even ticks from 0 to a little above the largest value', () => {
    expect(valueTicks(9)).toEqual([0, 2, 4, 6, 8, 10])
    expect(valueTicks(0.0021)).toEqual([0, 0.0005, 0.001, 0.0015, 0.002, 0.0025])
    expect(valueTicks(0)).toEqual([0, 1, 2, 3, 4, 5])
  })
  it('holds every value, and is at most two fifths too high', () => {
    for (let largest = 1e-6; largest < 1e15; largest *= 1.07) {
      const top = valueTicks(largest).at(-1) ?? 0
      expect(top).toBeGreaterThanOrEqual(largest)
      expect(top).toBeLessThanOrEqual(largest * 1.4)
    }
  })
  it('stays within the largest possible value, unless the data do not', () => {
    expect(valueTicks(98, 100).at(-1)).toBe(100)
    expect(valueTicks(100, 100).at(-1)).toBe(100)
    expect(valueTicks(130, 100).at(-1)).toBeGreaterThan(130)
  })
})

describe('the time axis', () => {
  // Intl writes a narrow no-break space before AM and PM.
  const spaces = (text: string) => text.replaceAll(/\s/g, ' ')
  const utc = { locale: 'en-US', timeZone: 'UTC' }
  const at = (text: string) => Date.parse(`${text}Z`)
  it('writes the time alone within one day', () => {
    const write = timeTick({ start: at('2026-01-05T01:00'), end: at('2026-01-05T04:00') }, utc)
    expect(spaces(write(at('2026-01-05T02:30')))).toBe('2:30 AM')
  })
  it('writes the day as well across days', () => {
    const write = timeTick({ start: at('2026-01-05T22:00'), end: at('2026-01-06T01:00') }, utc)
    expect(spaces(write(at('2026-01-06T00:30')))).toBe('1/6, 12:30 AM')
  })
  it('writes only the day in long ranges', () => {
    const write = timeTick({ start: at('2026-01-05T00:00'), end: at('2026-02-04T00:00') }, utc)
    expect(write(at('2026-01-12T00:00'))).toBe('1/12')
  })
  it('knows days by the zone that is shown', () => {
    const range = { start: at('2026-01-05T22:30'), end: at('2026-01-05T23:30') }
    expect(spaces(timeTick(range, utc)(range.start))).toBe('10:30 PM')
    expect(spaces(timeTick(range, { ...utc, timeZone: 'Europe/Berlin' })(range.start))).toBe('1/5, 11:30 PM')
  })
  it('writes seconds in short ranges', () => {
    const write = timeTick({ start: at('2026-01-05T01:00'), end: at('2026-01-05T01:05') }, utc)
    expect(spaces(write(at('2026-01-05T01:02:10')))).toBe('1:02:10 AM')
  })
})
