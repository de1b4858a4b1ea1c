import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '@purlin/contract/rules/limits'
import { startServers, type TestServers } from '../testing/test-servers.ts'
import { openSocket } from '../testing/requests.ts'

let servers: TestServers
beforeAll(async () => (servers = await startServers()))
afterAll(() => servers.close())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const json = { 'content-type': 'application/json' }
const message = (text: string) => (JSON.parse(text) as { message: string }).message

describe('the API over HTTP', () => {
  it('answers with a request id, a length and security headers', async () => {
    const { status, headers, text } = await servers.ask('/v1/ping')
    expect({ status, text }).toEqual({ status: 200, text: '{"status":"ok"}' })
    expect(headers['x-request-id']).toMatch(uuid)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '15',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    expect(headers).not.toHaveProperty('strict-transport-security')
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('ignores a request id of the client', async () => {
    const { headers } = await servers.ask('/v1/ping', { headers: { 'x-request-id': 'mine' } })
    expect(headers['x-request-id']).toMatch(uuid)
  })

  it.each(['HEAD', 'OPTIONS', 'POST', 'DELETE', 'TRACE'])(
    'refuses %s on a path that only reads',
    async (method) => {
      const { status, headers } = await servers.ask('/v1/ping', { method })
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET' })
    },
  )

  it.each(['/v1/ping/', '//v1/ping', '/v1//ping', '/v1/%70ing', '/%76%31/ping'])(
    '%s is /v1/ping',
    async (path) => {
      expect((await servers.ask(path)).status).toBe(200)
    },
  )

  it.each(['/v1', '/v1/', '/v1/nope', '/v1?x=1', '/v10', '/V1/ping', '/v1%2Fping'])(
    '%s is not found',
    async (path) => {
      const { status, text } = await servers.ask(path)
      expect({ status, message: message(text) }).toEqual({ status: 404, message: 'Not Found' })
    },
  )

  it('writes text with multibyte characters completely', async () => {
    const cookie = await servers.signIn('admin')
    const body = JSON.stringify({ name: 'words', description: 'Zürich – 東京 🚀' })
    const { status, text, headers } = await servers.ask('/v1/projects', {
      method: 'POST',
      headers: { ...json, cookie },
      body,
    })
    expect(status).toBe(201)
    expect((JSON.parse(text) as { description: string }).description).toBe('Zürich – 東京 🚀')
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
  })

  it('takes the whole address that a proxy sends', async () => {
    expect(
      await servers.sendRaw(
        'GET http://a.example/v1/ping HTTP/1.1\r\nhost: a.example\r\nconnection: close\r\n\r\n',
      ),
    ).toContain('200 OK')
  })

  it('answers over HTTP/1.1 when a request offers an unsupported protocol', async () => {
    const { status } = await servers.ask('/v1/ping', { headers: { connection: 'upgrade', upgrade: 'h2c' } })
    expect(status).toBe(200)
  })
})

describe('bodies', () => {
  const login = '/v1/login/acme/local'
  const limit = limits.bodyOfSignIn

  it('over the limit get 413, with and without a length', async () => {
    const body = 'x'.repeat(limit + 1)
    for (const headers of [{ ...json }, { ...json, 'transfer-encoding': 'chunked' }]) {
      const { status, text } = await servers.ask(login, { method: 'POST', headers, body })
      expect({ status, message: message(text) }).toEqual({
        status: 413,
        message: `request body exceeded maximum size of ${limit} bytes`,
      })
    }
  })

  it('a length beyond the limit is refused before the body comes', async () => {
    const head = `POST ${login} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${5 * limit}\r\n\r\n`
    const socket = connect(servers.port, '127.0.0.1')
    socket.write(head)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(String(answer)).toContain('413 Payload Too Large')
    socket.destroy()
  })

  it('of exactly the limit are read', async () => {
    const { status } = await servers.ask(login, { method: 'POST', headers: json, body: 'x'.repeat(limit) })
    expect(status).toBe(400)
  })

  it.each([
    ['/v1/projects', json, Buffer.from('{"name":"k","description":"K\xf6ln"}', 'latin1')],
    ['/device/auth', { 'content-type': 'application/x-www-form-urlencoded' }, Buffer.from([0x63, 0xf6])],
  ])('of %s that are not UTF-8 are refused and not changed', async (path, headers, body) => {
    const cookie = await servers.signIn('admin')
    const { status, text } = await servers.ask(path, {
      method: 'POST',
      headers: { ...headers, cookie },
      body,
    })
    expect([status, message(text)]).toEqual([
      400,
      expect.stringMatching(/^unable to parse .* body: invalid u/i),
    ])
  })

  it.each(['gzip', 'br, gzip', 'x-unknown'])(
    'with the content encoding %s get 415 that names it',
    async (coding) => {
      const cookie = await servers.signIn('admin')
      const headers = { ...json, cookie, 'content-encoding': coding }
      const { status, text } = await servers.ask('/v1/projects', { method: 'POST', headers, body: '{}' })
      expect([status, message(text)]).toEqual([415, expect.stringContaining(`"${coding}"`)])
      const plain = { ...headers, 'content-encoding': 'Identity' }
      expect((await servers.ask('/v1/projects', { method: 'POST', headers: plain, body: '{}' })).status).toBe(
        400,
      )
    },
  )

  it('broken off by the client do no harm and log no error', async () => {
    const socket = connect(servers.port, '127.0.0.1')
    socket.write(
      `POST ${login} HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`,
    )
    await once(socket, 'data')
    socket.write('{"user', () => socket.resetAndDestroy())
    await expect
      .poll(() => servers.lines.some((line) => line.includes('"path":"/v1/login/acme/local","status":400')))
      .toBe(true)
    expect(servers.world.errors).toEqual([])
    expect((await servers.ask('/v1/ping')).status).toBe(200)
  })
})

describe('a handler', () => {
  it('runs to its end when the client leaves', async () => {
    const cookie = await servers.signIn('admin')
    const body = JSON.stringify({ name: 'left-alone', description: '' })
    const socket = connect(servers.port, '127.0.0.1')
    socket.write(
      `POST /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    socket.once('ready', () => setTimeout(() => socket.resetAndDestroy(), 5))
    const found = async () => (await servers.ask('/v1/projects/left-alone', { headers: { cookie } })).status
    await expect.poll(found).toBe(200)
  })
})

describe('a connection', () => {
  const head = 'GET /v1/ping HTTP/1.1\r\nhost: a\r\n\r\n'

  it('with more requests than may be under way is closed, and the rest of them is not even parsed', async () => {
    let parsed = 0
    const count = () => void parsed++
    servers.server.on('request', count)
    await servers.sendRaw(head.repeat(2000))
    servers.server.off('request', count)
    expect(parsed).toBe(limits.requestsOfConnection + 1)
  })

  it('may have as many under way, again and again', async () => {
    const some = head.repeat(limits.requestsOfConnection - 1)
    const { socket, said } = openSocket(`http://127.0.0.1:${servers.port}`)
    for (let round = 1; round <= 3; round++) {
      socket.write(some)
      await expect
        .poll(() => said().match(/ 200 OK/g)?.length)
        .toBe(round * (limits.requestsOfConnection - 1))
    }
    socket.destroy()
  })

  it('without traffic is closed after two minutes, whatever it waits for', () => {
    expect(servers.server.timeout).toBe(120_000)
  })
})

describe('broken clients', () => {
  it.each([
    ['garbage', 'hello\r\n\r\n', '400 Bad Request'],
    ['a bad header', 'GET /v1/ping HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n', '400 Bad Request'],
    [
      'huge headers',
      `GET /v1/ping HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
    ],
    ['no host', 'GET /v1/ping HTTP/1.1\r\nconnection: close\r\n\r\n', '400 Bad Request'],
    [
      'two lengths',
      'POST /v1/ping HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      '400 Bad Request',
    ],
  ])('%s gets an envelope', async (_name, bytes, status) => {
    const answer = await servers.sendRaw(bytes)
    expect(answer).toContain(`HTTP/1.1 ${status}`)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/)
    expect(head).toContain(`content-length: ${body.length}`)
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['request_id', 'message'])
  })

  it('a request that cannot be parsed is not answered in place of the one before it', async () => {
    const answer = await servers.sendRaw('GET /v1/ping HTTP/1.1\r\nhost: a\r\n\r\nhello\r\n\r\n')
    expect(answer).not.toContain('malformed HTTP request')
  })

  it.each([
    '/v1/projects/%zz',
    '/v1/instances?project=%e0%a4%a',
    '/v1/projects/..%2f',
    '/v1/../etc/passwd',
    '/%',
  ])('%s is refused without harm', async (path) => {
    const { status } = await servers.ask(path)
    expect([400, 401, 404]).toContain(status)
    expect(servers.world.errors).toEqual([])
  })
})

describe('the log', () => {
  it('has one line for a request, without query, headers and body', async () => {
    servers.lines.length = 0
    const headers = { ...json, cookie: 'session=c00c1e', authorization: 'Bearer t0ken' }
    await servers.ask('/v1/instances?project=pr1vate', { headers })
    const [line = '', ...more] = servers.lines
    expect(more).toEqual([])
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      msg: 'request',
      method: 'GET',
      path: '/v1/instances',
      status: 401,
    })
    expect((JSON.parse(line) as { requestId: string }).requestId).toMatch(uuid)
    expect(line).not.toMatch(/c00c1e|t0ken|pr1vate/)
  })
})
