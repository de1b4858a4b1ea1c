import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createBodyBudget } from './body-budget.ts'
import { NodeRequest } from './node-request.ts'

const requestOf = (
  headers: Record<string, string>,
  behindProxy: boolean,
  { url = '/', publicUrl = '' } = {},
) =>
  new NodeRequest(
    { method: 'GET', url, headers, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage,
    { behindProxy, bodies: createBodyBudget(), onMisread: () => undefined, ...(publicUrl && { publicUrl }) },
  )

describe('a request of node:http', () => {
  const forwarded = { 'x-forwarded-for': '6.6.6.6, 10.1.2.3', 'x-forwarded-proto': 'https' }

  it('comes from the address of its socket, with any headers', () => {
    expect(requestOf(forwarded, false)).toMatchObject({ remote: '10.0.0.1', secure: false })
  })

  it('behind a proxy comes from the address that the proxy saw', () => {
    expect(requestOf(forwarded, true)).toMatchObject({ remote: '10.1.2.3', secure: true })
    expect(requestOf({}, true)).toMatchObject({ remote: '10.0.0.1', secure: false })
  })

  it('has the host that the proxy says it was sent to, or that is in its target', () => {
    const forwarded = { host: 'purlin.internal:80', 'x-forwarded-host': 'evil.test, cloud.test' }
    expect(requestOf(forwarded, false).headers['host']).toBe('purlin.internal:80')
    expect(requestOf(forwarded, true).headers['host']).toBe('cloud.test')
    expect(requestOf({ host: 'a' }, false, { url: 'http://b.test:1/v1' }).headers['host']).toBe('b.test:1')
  })

  it('came over TLS if the address of the server is one of HTTPS, unless the proxy says otherwise', () => {
    const publicUrl = 'https://cloud.test'
    expect(requestOf({}, false, { publicUrl })).toMatchObject({ secure: true, publicOrigin: publicUrl })
    expect(requestOf({ 'x-forwarded-proto': 'http' }, true, { publicUrl }).secure).toBe(false)
    expect(requestOf({}, false, { publicUrl: 'http://cloud.test' }).secure).toBe(false)
  })

  it.each([
    ['/v1/ping?a=1', '/v1/ping?a=1'],
    ['http://host/v1/ping?a=1', '/v1/ping?a=1'],
    ['HTTPS://host:1?a=1', '?a=1'],
    ['http://host', '/'],
    ['//host/v1', '//host/v1'],
    ['*', '*'],
  ])('of %s has the path %s', (url, path) => {
    expect(requestOf({}, false, { url }).url).toBe(path)
  })
})
