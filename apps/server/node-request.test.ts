import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { NodeRequest } from './node-request.ts'

const requestOf = (headers: Record<string, string>, behindProxy: boolean, url = '/') =>
  new NodeRequest(
    { method: 'GET', url, headers, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage,
    behindProxy,
  )

describe('a request of Node', () => {
  const forwarded = { 'x-forwarded-for': '6.6.6.6, 10.1.2.3', 'x-forwarded-proto': 'https' }

  it('comes from its socket, whatever it claims', () => {
    expect(requestOf(forwarded, false)).toMatchObject({ remote: '10.0.0.1', secure: false })
  })

  it('behind a proxy comes from the address that the proxy saw', () => {
    expect(requestOf(forwarded, true)).toMatchObject({ remote: '10.1.2.3', secure: true })
    expect(requestOf({}, true)).toMatchObject({ remote: '10.0.0.1', secure: false })
  })

  it.each([
    ['/v1/ping?a=1', '/v1/ping?a=1'],
    ['http://host/v1/ping?a=1', '/v1/ping?a=1'],
    ['HTTPS://host:1?a=1', '?a=1'],
    ['http://host', '/'],
    ['//host/v1', '//host/v1'],
    ['*', '*'],
  ])('of %s has the path %s', (url, path) => {
    expect(requestOf({}, false, url).url).toBe(path)
  })
})
