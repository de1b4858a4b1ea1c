import { describe, expect, it } from 'vitest'
import { securityHeaders } from './headers.ts'

const of = (kind: 'page' | 'api', secure: boolean) => {
  const flat = securityHeaders(kind, secure)
  return Object.fromEntries(flat.filter((_, i) => i % 2 === 0).map((name, i) => [name, flat[2 * i + 1]]))
}

describe('security headers', () => {
  it('a page runs only our own scripts and cannot be framed', () => {
    expect(of('page', false)).toMatchObject({
      'content-security-policy':
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
        "connect-src 'self'; font-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  it('only TLS promises TLS', () => {
    for (const kind of ['page', 'api'] as const) {
      expect(of(kind, true)).toHaveProperty('strict-transport-security')
      expect(of(kind, false)).not.toHaveProperty('strict-transport-security')
    }
  })
})
