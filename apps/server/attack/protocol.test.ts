import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { serveKnown } from '../testing/prepared.ts'
import type { ServerProcess } from '../testing/process.ts'
import { openSocket, sendRaw } from '../testing/requests.ts'

let server: ServerProcess
beforeAll(async () => (server = await serveKnown()))
afterAll(killAll)

const head = (...lines: string[]) => `${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`
const get = 'GET /v1/ping HTTP/1.1'
const post = 'POST /v1/logout HTTP/1.1'
const empty = '0\r\n\r\n'

describe('requirements of RFC 9110 and RFC 9112', () => {
  it.each([
    ['two hosts', head(get, 'host: a', 'host: b'), 400],
    ['the same host twice', head(get, 'Host: a', 'host: a'), 400],
    ['a host with a path', head(get, 'host: a/b'), 400],
    ['a host with a user', head(get, 'host: u@a'), 400],
    ['no host', head(get), 400],
    ['no host in HTTP/1.0', head('GET /v1/ping HTTP/1.0'), 200],
    ['an empty host', head(get, 'host:'), 200],
    ['an IPv6 address and a port', head(get, 'host: [::1]:80'), 200],
    ['an unknown expectation', head(get, 'host: a', 'expect: foo'), 417],
    ['an unknown transfer coding', head(post, 'host: a', 'transfer-encoding: foo'), 501],
    [
      'an unknown transfer coding, chunked',
      head(post, 'host: a', 'transfer-encoding: foo, chunked') + empty,
      501,
    ],
    ['a known transfer coding', head(post, 'host: a', 'transfer-encoding: Chunked') + empty, 204],
    ['a transfer coding in HTTP/1.0', head('POST /v1/logout HTTP/1.0', 'transfer-encoding: chunked'), 400],
    ['a coding and a length', head(post, 'host: a', 'transfer-encoding: chunked', 'content-length: 0'), 400],
  ])('%s: answered with its status', async (_, bytes, status) => {
    const answer = await sendRaw(server.url, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/)
  })

  it('sockets are refused for the same reasons', async () => {
    const lines = [
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
    ]
    const upgrade = [
      'GET /v1/instances/x/serial-console/stream HTTP/1.1',
      'host: a',
      'host: b',
      ...lines,
      'connection: upgrade',
    ]
    expect(await sendRaw(server.url, `${upgrade.join('\r\n')}\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 /)
  })

  it('the server requests an announced body only if it will read it', async () => {
    const announced = (path: string, length: number) =>
      `POST ${path} HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: ${length}\r\n\r\n`
    for (const [path, length, status] of [
      ['/v1/login/main/local', 5000, 413],
      ['/v1/projects', 100_000, 401],
      ['/v1/nothing', 2, 404],
    ] as const) {
      const { socket, ended } = openSocket(server.url)
      socket.write(announced(path, length))
      expect(await ended).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    }
    const { socket, said, ended } = openSocket(server.url)
    socket.write(announced('/v1/logout', 2))
    await once(socket, 'data')
    expect(said()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.end('{}')
    expect(await ended).toContain('HTTP/1.1 204 ')
  })

  it.each([
    ['http', '', 204],
    ['https', '', 403],
    ['http', ':1', 403],
  ])('the origin %s://…%s is compared with scheme and port: %i', async (scheme, port, status) => {
    const { host } = new URL(server.url)
    const answer = await sendRaw(
      server.url,
      head(
        post,
        `host: ${host}`,
        `origin: ${scheme}://${port === '' ? host : `127.0.0.1${port}`}`,
        'content-length: 0',
      ),
    )
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })
})
