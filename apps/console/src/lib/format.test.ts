import { describe, expect, it } from 'vitest'
import {
  bigNumber,
  formatDate,
  formatExact,
  formatSize,
  formatTick,
  formatTime,
  inHundredths,
  percentParts,
  relativeLong,
  relativeShort,
  sizeParts,
} from './format.ts'

const spaces = (text: string) => text.replaceAll(/\s/g, ' ')
const date = new Date('2023-02-28T00:00:00Z')
const utc = (locale: string) => ({ locale, timeZone: 'UTC' })

describe('dates', () => {
  it('follow the locale', () => {
    expect(formatDate(date, utc('en-US'))).toBe('Feb 28, 2023')
    expect(spaces(formatTime(date, utc('en-US')))).toBe('12:00 AM')
    expect(formatDate(date, utc('de'))).toBe('28.02.2023')
    expect(formatTime(date, utc('de'))).toBe('00:00')
    expect(formatDate(date, utc('fr'))).toBe('28 févr. 2023')
  })
  it('the exact form has seconds and zone', () => {
    expect(spaces(formatExact(date, utc('en-US')))).toBe('Feb 28, 2023, 12:00:00 AM UTC')
  })
})

it('amounts of money have two decimals', () => {
  expect([356.5, 0.02, 10_381.864].map(inHundredths)).toEqual(['356.50', '0.02', '10,381.86'])
})

describe('ticks of a time axis', () => {
  it('are as short as possible', () => {
    expect(spaces(formatTick(date, {}, utc('en-US')))).toBe('12:00 AM')
    expect(formatTick(date, { second: true }, utc('de'))).toBe('00:00:00')
    expect(spaces(formatTick(date, { day: true }, utc('en-US')))).toBe('2/28, 12:00 AM')
    expect(formatTick(date, { day: true }, utc('de'))).toBe('28.2., 00:00')
  })
})

describe('relative times', () => {
  const ago = (seconds: number) => relativeShort(new Date(-seconds * 1000), new Date(0))
  it('use one unit and its short name', () => {
    const cases = {
      0: '0s',
      30: '30s',
      300: '5m',
      10800: '3h',
      172800: '2d',
      604800: '1w',
      10368000: '4mo',
      63072000: '2y',
    }
    for (const [seconds, text] of Object.entries(cases)) expect(ago(Number(seconds))).toBe(text)
  })
  it('never round up into the next unit', () => {
    expect(ago(59.9)).toBe('59s')
    expect(ago(3599)).toBe('59m')
  })
  it('in words, switch units at their full length', () => {
    const words = (minutes: number) => relativeLong(new Date(minutes * 60_000), new Date(0), 'en')
    expect(words(-0.5)).toBe('30 seconds ago')
    expect(words(-59)).toBe('59 minutes ago')
    expect(words(-1440)).toBe('1 day ago')
    expect(words(43_200)).toBe('in 1 month')
    expect(words(-525_600)).toBe('1 year ago')
  })
})

describe('sizes', () => {
  it('use steps of 1024 and at most two decimals', () => {
    expect(sizeParts(1536 * 1024 ** 2)).toEqual({ value: 1.5, unit: 'GiB' })
    expect(sizeParts(1023)).toEqual({ value: 1023, unit: 'B' })
    expect(formatSize(1024 ** 4 / 3, 'en')).toBe('341.33 GiB')
  })
  it('never show 1024 of a unit', () => {
    expect(sizeParts(1024 ** 3 - 1)).toEqual({ value: 1, unit: 'GiB' })
  })
  it('have no fractional bytes', () => {
    expect(sizeParts(1.4)).toEqual({ value: 1, unit: 'B' })
  })
  it('can be shown in a given unit and rounded either way', () => {
    expect(sizeParts(1024 ** 3, { unit: 'TiB', rounding: 'up' })).toEqual({ value: 0.01, unit: 'TiB' })
    expect(sizeParts(1024 ** 3, { unit: 'TiB', rounding: 'down' })).toEqual({ value: 0, unit: 'TiB' })
  })
  it('throw for an invalid number or rounding', () => {
    expect(() => sizeParts(Number.NaN)).toThrow(RangeError)
    const unknown = JSON.parse('"sideways"')
    expect(() => sizeParts(1, { rounding: unknown })).toThrow(RangeError)
  })
})

describe('numbers', () => {
  it('are written in full below a million', () => {
    expect(bigNumber(999_999, 'en')).toEqual({ text: '999,999', full: '999,999', isShortened: false })
  })
  it('are compact from a million and in engineering form from 1e15', () => {
    expect(bigNumber(10_234_567, 'en')).toMatchObject({ text: '10.2M', full: '10,234,567' })
    expect(bigNumber(18.4e18, 'en').text).toBe('18.4e18')
    expect(bigNumber(18.4e18, 'de').text).toBe('18,4e18')
  })
  it('percentages have at most two decimals, and 0 of 0 is a dash', () => {
    expect(percentParts(1, 3, 'en')).toEqual({ whole: '33', fraction: '.33' })
    expect(percentParts(1, 2, 'en')).toEqual({ whole: '50', fraction: '' })
    expect(percentParts(1, 100_000, 'en')).toEqual({ whole: '< 0', fraction: '.1' })
    expect(percentParts(0, 5, 'en')).toEqual({ whole: '0', fraction: '' })
    expect(percentParts(0, 0)).toEqual({ whole: '—', fraction: '' })
  })
})
