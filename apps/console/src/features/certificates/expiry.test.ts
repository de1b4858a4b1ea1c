import { describe, expect, it } from 'vitest'
import { expiryLine, expiryOf } from './expiry.ts'

const now = Date.parse('2026-05-01T12:00:00Z')
const inDays = (days: number) => new Date(now + days * 86_400_000)

describe('the expiry of a certificate', () => {
  it.each([
    [31, 'valid', 'ok'],
    [30, 'expires in 30 days', 'warn'],
    [13.5, 'expires in 13 days', 'warn'],
    [3, 'expires in 3 days', 'danger'],
    [1.5, 'expires in 1 day', 'danger'],
    [0.5, 'expires today', 'danger'],
    [0, 'expired', 'danger'],
  ])('%d days ahead is "%s"', (days, text, tone) => {
    expect(expiryOf({ notAfter: inDays(days) }, now)).toEqual({ text, tone })
  })

  it('has no warning for a certificate that is not valid yet or has no dates', () => {
    const later = { notBefore: inDays(1), notAfter: inDays(20) }
    expect(expiryOf(later, now)).toEqual({ text: 'not valid yet', tone: 'idle' })
    expect(expiryOf({}, now)).toBeUndefined()
  })

  it('has a line on the pages of the silo from 30 days ahead', () => {
    expect(expiryLine(undefined, now)).toBeUndefined()
    expect(expiryLine(inDays(31), now)).toBeUndefined()
    const more = 'Add a new one; this one can be deleted then.'
    expect(expiryLine(inDays(14), now)).toEqual({
      text: `The TLS certificate of the silo expires in 14 days. ${more}`,
      isUrgent: false,
    })
    expect(expiryLine(inDays(-1), now)).toEqual({
      text: `The TLS certificate of the silo has expired. ${more}`,
      isUrgent: true,
    })
  })
})
