import { describe, expect, it } from 'vitest'
import { forwardedOf } from './forwarded.ts'

/** The parsed values, and the headers that cannot be parsed. */
function read(headers: Record<string, string>) {
  const misread: string[] = []
  return { ...forwardedOf(headers, ({ header }) => misread.push(header)), misread }
}

describe('headers of a proxy', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['6.6.6.6:1, 192.0.2.1:4711', '192.0.2.1'],
    ['6.6.6.6, 192.0.2.1,', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
  ])('X-Forwarded-For: %s is the address %s, without its port', (value, address) => {
    expect(read({ 'x-forwarded-for': value })).toMatchObject({ address, misread: [] })
  })

  it.each(['unknown', '_hidden', '192.0.2.1:port', '6.6.6.6, 192.0.2.999', '[192.0.2.1', 'a.test:80'])(
    'X-Forwarded-For: %s is no address: the proxy itself counts, and it is reported',
    (value) => {
      expect(read({ 'x-forwarded-for': value })).toMatchObject({
        address: undefined,
        misread: ['x-forwarded-for'],
      })
    },
  )

  it.each([
    ['https', true],
    ['HTTPS', true],
    ['https,', true],
    ['http, https', true],
    ['wss', true],
    ['http', false],
    ['Http', false],
    ['https, http', false],
  ])('X-Forwarded-Proto: %s is TLS: %s', (value, isSecure) => {
    expect(read({ 'x-forwarded-proto': value })).toMatchObject({ isSecure, misread: [] })
  })

  it.each(['on', 'httpss', 'https;http', 'toString'])(
    'X-Forwarded-Proto: %s counts as TLS, so that cookies stay protected, and is reported',
    (value) => {
      expect(read({ 'x-forwarded-proto': value })).toMatchObject({
        isSecure: true,
        misread: ['x-forwarded-proto'],
      })
    },
  )

  it('a malformed X-Forwarded-Host is ignored and reported', () => {
    expect(read({ 'x-forwarded-host': 'a/b' })).toMatchObject({
      host: undefined,
      misread: ['x-forwarded-host'],
    })
    expect(read({ 'x-forwarded-host': 'a.test, cloud.test:8443' })).toMatchObject({ host: 'cloud.test:8443' })
  })

  it('absent or empty headers are ignored', () => {
    const nothing = { address: undefined, host: undefined, isSecure: undefined, misread: [] }
    expect(read({})).toEqual(nothing)
    expect(read({ 'x-forwarded-for': '', 'x-forwarded-proto': ' ', 'x-forwarded-host': '' })).toEqual(nothing)
  })
})
