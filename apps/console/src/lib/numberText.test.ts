import { describe, expect, it } from 'vitest'
import { clampNumber, isNumberDraft, readNumber, textOf } from './numberText.ts'

const free = { min: 0, integer: false }
const whole = { min: 0, integer: true }
const read = (text: string, rule = free, locale = 'en-US') => {
  const { value, problem } = readNumber(text, rule, locale)
  return problem === undefined ? value : 'refused'
}

describe('a number being typed', () => {
  it('rejects characters that cannot form a number', () => {
    for (const good of ['', '1', '1.', '.5', '12.25', '1,000', ' 1 '])
      expect(isNumberDraft(good, free, 'en-US')).toBe(true)
    for (const bad of ['-', 'a', '1e3', '2 GiB', '0x10'])
      expect(isNumberDraft(bad, free, 'en-US')).toBe(false)
  })
  it('allows a minus only where numbers below zero are allowed', () => {
    expect(isNumberDraft('-1', { min: -5, integer: true }, 'en-US')).toBe(true)
    expect(isNumberDraft('-1', whole, 'en-US')).toBe(false)
    expect(read('-1', { min: -5, integer: true })).toBe(-1)
    expect(read('-1')).toBe('refused')
  })
  it('is NaN without a problem while it is empty', () => {
    expect(read('')).toBeNaN()
    expect(read('  ')).toBeNaN()
  })
  it('is read with and without the grouping of the locale, and with blanks around it', () => {
    for (const [text, value] of [
      ['1,000', 1000],
      ['2,048', 2048],
      ['256 ', 256],
      ['86,400', 86_400],
      ['1,234,567.25', 1_234_567.25],
      ['1.', 1],
      ['.5', 0.5],
    ] as const)
      expect(read(text)).toBe(value)
  })
  it('is refused if it is not written as the locale writes it', () => {
    for (const text of ['1,00', '1,5', '10,0000', ',000', '1.2.3', '1.000.000', '1 000', '0,256', '1,000.'])
      expect([text, read(text, whole)]).toEqual([text, 'refused'])
    expect(read('1.5', free, 'de')).toBe('refused')
    expect(read('9'.repeat(400))).toBe('refused')
  })
  it('is refused with a sentence that quotes it and shows the form', () => {
    expect(readNumber('86.400', whole, 'en-US').problem).toBe(
      '“86.400” is not a whole number. Write it like 1,234.',
    )
    expect(readNumber('1.5', free, 'de').problem).toBe('“1.5” is not a number. Write it like 1.234,5.')
  })
  it.each([
    'en-US',
    'en-IN',
    'de',
    'de-CH',
    'fr',
    'es',
    'pl',
    'pt-PT',
    'hi-IN',
    'mr-IN',
    'th',
    'ar-EG',
    'fa',
  ])('is read as %s writes it, grouped or not', (locale) => {
    for (const value of [0, 7, 1000, 2048, 86_400, 1_234_567, 1234.5, 0.25, -3000]) {
      const rule = { min: -1e6, integer: false }
      expect(read(value.toLocaleString(locale), rule, locale)).toBe(value)
      expect(read(textOf(value, locale), rule, locale)).toBe(value)
      expect(isNumberDraft(value.toLocaleString(locale), rule, locale)).toBe(true)
    }
  })
  it('is written without grouping, with the decimal mark of the locale', () => {
    expect(textOf(1_234_567, 'en-US')).toBe('1234567')
    expect(textOf(1234.5, 'de')).toBe('1234,5')
    expect(textOf(Number.NaN)).toBe('')
  })
  it('is clamped to its bounds', () => {
    expect(clampNumber(0.1 + 0.2, { min: 0, max: 1 })).toBe(0.3)
    expect(clampNumber(9, { min: 0, max: 5 })).toBe(5)
    expect(clampNumber(-1, { min: 0, max: 5 })).toBe(0)
  })
})
