import { describe, expect, it } from 'vitest'
import { finestOf, fromField, toField } from './fieldTime.ts'
import { atLeastShortest, fixedRange, isRange, rangeOf, rangeSearch, searchOf } from './range.ts'

const start = '2026-01-05T10:00:00.000Z'
const end = '2026-01-05T11:30:15.000Z'

describe('the range in the address', () => {
  it('is a preset that is not the default, or two ends', () => {
    expect(rangeSearch({ range: '3h' })).toEqual({ range: '3h' })
    expect(rangeSearch({ range: '1h' })).toEqual({})
    expect(rangeSearch({ range: '3h', start, end })).toEqual({ start, end })
  })
  it('is the default if the address is invalid', () => {
    const bad = [
      { range: 'toString' },
      { range: 7 },
      { start },
      { start: end, end: start },
      { start: 'x', end },
      { start: '1969-12-31T23:59:59Z', end },
      { start: '-000001-01-01T00:00:00Z', end },
      { start, end: '+010000-01-01T00:00:00Z' },
    ]
    expect(bad.map(rangeSearch)).toEqual(bad.map(() => ({})))
  })
  it('survives the address, to the second', () => {
    const range = { start: Date.parse(start) + 400, end: Date.parse(end) - 400 }
    expect(fixedRange(searchOf(range))).toEqual({ start: Date.parse(start), end: Date.parse(end) })
  })
})

describe('a range', () => {
  it('has a length, and lies in years that a query can name', () => {
    const [first, last] = ['1970-01-01T00:00Z', '9999-12-31T23:59Z'].map((text) => Date.parse(text))
    expect(isRange({ start: first ?? 0, end: last ?? 0 })).toBe(true)
    expect(isRange({ start: last ?? 0, end: Date.parse('+010000-01-01T00:00Z') })).toBe(false)
    expect(isRange({ start: Date.parse('0020-11-22T10:00Z'), end: Date.parse(end) })).toBe(false)
    expect(isRange({ start: Date.parse(end), end: Date.parse(end) })).toBe(false)
    expect(isRange({ start: Number.NaN, end: Date.parse(end) })).toBe(false)
  })
  it('of a preset ends with the last whole second', () => {
    expect(rangeOf('1h', 7_200_999)).toEqual({ start: 3_600_000, end: 7_200_000 })
  })
  it('selected with the pointer is at least a minute long', () => {
    expect(atLeastShortest({ start: 100_000, end: 110_000 })).toEqual({ start: 75_000, end: 135_000 })
    expect(atLeastShortest({ start: 0, end: 90_000 })).toEqual({ start: 0, end: 90_000 })
  })
})

describe('a time in a field', () => {
  it('is the same when read back, in both zones', () => {
    for (const isUtc of [true, false])
      for (const moment of [Date.parse(start), Date.parse(end)])
        expect(fromField(toField(moment, isUtc))).toBe(moment)
  })
  it('has seconds only if there are some', () => {
    const whole = toField(Date.parse(start), true)
    const odd = toField(Date.parse(end), true)
    expect(whole.toString()).toBe('2026-01-05T10:00:00+00:00[UTC]')
    expect(odd.toString()).toBe('2026-01-05T11:30:15+00:00[UTC]')
    expect([finestOf(whole), finestOf(whole, odd)]).toEqual(['minute', 'second'])
  })
  it('is none while the field is incomplete', () => {
    expect(fromField(null)).toBeNaN()
  })
})
