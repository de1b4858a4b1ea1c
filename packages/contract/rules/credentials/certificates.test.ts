import { describe, expect, it } from 'vitest'
import { covers, expiryStage, hostOfSilo, siloNamedBy } from './certificates.ts'

const host = 'acme.sys.cloud.test'

describe('the host name of a silo', () => {
  it('names it, in any zone and either case', () => {
    expect(hostOfSilo('acme', 'cloud.test')).toBe(host)
    for (const one of [host, 'ACME.SYS.cloud.test', 'acme.sys.other:443'])
      expect(siloNamedBy(one)).toBe('acme')
    for (const one of ['acme', 'sys.cloud.test', 'a.acme.sys.cloud.test', 'acme.sys'])
      expect(siloNamedBy(one)).toBeUndefined()
  })
})

describe('a name of a certificate', () => {
  it.each([host, 'ACME.sys.cloud.test', '*.sys.cloud.test', '*.SYS.cloud.test'])('%s covers it', (name) => {
    expect(covers(name, host)).toBe(true)
  })

  it.each([
    'sys.cloud.test',
    '*.cloud.test',
    'a*.sys.cloud.test',
    '*',
    '*.',
    '*.*.cloud.test',
    '*.acme.sys.cloud.test',
    '',
  ])('"%s" does not', (name) => {
    expect(covers(name, host)).toBe(false)
  })
})

describe('the expiry of a certificate', () => {
  const dayMs = 86_400_000
  const now = Date.parse('2026-05-01T00:00:00Z')

  it.each([
    [31, undefined],
    [30, 30],
    [14.1, 30],
    [14, 14],
    [3.5, 14],
    [3, 3],
    [0.001, 3],
    [0, 0],
    [-100, 0],
  ])('%d days ahead is in stage %s', (days, stage) => {
    expect(expiryStage(now + days * dayMs, now)).toBe(stage)
  })
})
