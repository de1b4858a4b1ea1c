import type { ApiRequest } from '@purlin/contract/http'
import type { OpShape } from '@purlin/contract/op'
import { operations } from '@purlin/contract/operations'
import { GiB, KiB, MiB } from '@purlin/contract/rules/limits'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { dump } from '#/testing/state.ts'
import { openWorld, type RawRequest, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
})
afterEach(() => expect(w.errors).toEqual([]))
afterAll(() => w.close())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
interface Envelope {
  request_id: string
  error_code?: string
  message: string
}
const ask = async (request: RawRequest) => {
  const { status, headers, json, text } = await w.raw(request)
  return { status, headers, text, ...(json as Envelope) }
}
const disk = (name = 'data') =>
  JSON.stringify({ name, description: '', size: GiB, disk_source: { type: 'blank', block_size: 512 } })
const makeDisk: RawRequest = { method: 'POST', url: '/v1/disks?project=demo', who: 'admin', body: disk() }
const broken = '{"name":'

describe('every answer', () => {
  it.each<[string, RawRequest, number]>([
    ['a success', { url: '/v1/me', who: 'admin' }, 200],
    ['no content', { method: 'POST', url: '/v1/logout' }, 204],
    ['no route', { url: '/nothing' }, 404],
    ['a refusal', { url: '/v1/me' }, 401],
  ])('%s has a fresh request id of ours', async (_, request, status) => {
    const first = await w.raw({ ...request, headers: { 'x-request-id': 'mine' } })
    const second = await w.raw(request)
    expect([first.status, second.status]).toEqual([status, status])
    expect(first.headers['x-request-id']).toMatch(uuid)
    expect(second.headers['x-request-id']).toMatch(uuid)
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id'])
  })

  it('the answer to a repeated read too, although it is cached', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await w.raw({ url: '/v1/projects', who: 'admin' })).headers['x-request-id']),
    )
    expect(new Set(ids).size).toBe(3)
  })

  it('with content is JSON; without content has no type', async () => {
    expect((await w.raw({ url: '/v1/me', who: 'admin' })).headers['content-type']).toBe('application/json')
    const empty = await w.raw({ method: 'POST', url: '/v1/logout' })
    expect(empty).toMatchObject({ status: 204, text: '' })
    expect(empty.headers).not.toHaveProperty('content-type')
  })

  it('of an error: the envelope, readable, with the same id as the header', async () => {
    const { status, headers, text } = await ask({ url: '/v1/projects/nope', who: 'admin' })
    const expected = {
      request_id: headers['x-request-id'],
      error_code: 'ObjectNotFound',
      message: 'not found: project with name "nope"',
    }
    expect(status).toBe(404)
    expect(text).toBe(JSON.stringify(expected, null, 2))
    expect(headers['content-type']).toBe('application/json')
  })

  it('has no header that invites other origins or caches', async () => {
    const { headers } = await w.raw({
      url: '/v1/me',
      who: 'admin',
      headers: { origin: 'https://elsewhere.test' },
    })
    expect(Object.keys(headers).toSorted()).toEqual(['content-type', 'x-request-id'])
  })
})

describe('the order of checks', () => {
  it.each<[string, RawRequest, number, string]>([
    [
      'route before everything',
      { method: 'POST', url: '/v1/nothing?limit=0', body: broken },
      404,
      'Not Found',
    ],
    [
      'method before query, body and credentials',
      { method: 'PATCH', url: '/v1/disks?limit=0', body: broken },
      405,
      'Method Not Allowed',
    ],
    [
      'query before path',
      { url: '/v1/disks/Bad%20Name?project=Bad', who: 'admin' },
      400,
      'unable to parse query string: project: ',
    ],
    [
      'query before body',
      { method: 'POST', url: '/v1/disks', body: broken },
      400,
      'unable to parse query string: missing field `project`',
    ],
    [
      'path before body',
      { method: 'PUT', url: '/v1/projects/Bad', body: broken },
      400,
      'bad parameter in URL path: project: ',
    ],
    [
      'body before credentials',
      { ...makeDisk, headers: { cookie: 'session=unknown' }, body: broken },
      400,
      'unable to parse JSON body: ',
    ],
    ['credentials before look-up', { url: '/v1/projects/nope' }, 401, 'credentials missing or invalid'],
    [
      'look-up before permission',
      { method: 'DELETE', url: '/v1/disks/nope?project=demo', who: 'projectViewer' },
      404,
      'not found: disk with name "nope"',
    ],
    [
      'permission before meaning',
      { ...makeDisk, who: 'projectViewer', body: disk().replace(String(GiB), '1') },
      403,
      'Forbidden',
    ],
    [
      'a missing project before meaning',
      { ...makeDisk, url: '/v1/disks?project=nope', body: disk().replace(String(GiB), '1') },
      404,
      'not found: project with name "nope"',
    ],
    [
      'meaning before action',
      { ...makeDisk, body: disk().replace(String(GiB), '1') },
      400,
      'unsupported value for "size',
    ],
  ])('%s', async (_, request, status, message) => {
    const before = await dump(w)
    const answer = await ask(request)
    expect(answer.status).toBe(status)
    expect(answer.message.startsWith(message)).toBe(true)
    expect(await dump(w)).toEqual(before)
  })
})

describe('errors before authentication', () => {
  it('a method that a path lacks: 405 with Allow, before authentication', async () => {
    const { status, headers, error_code: code } = await ask({ method: 'PATCH', url: '/v1/projects/demo' })
    expect({ status, allow: headers['allow'], code }).toEqual({
      status: 405,
      allow: 'DELETE, GET, PUT',
      code: undefined,
    })
  })
  it.each(['OPTIONS', 'HEAD', 'TRACE'])(
    '%s is no method of a path without such an operation',
    async (method) => {
      const all = Object.values<OpShape>(operations)
      const having = new Set(all.filter((op) => op.method === method).map(({ path }) => path))
      for (const { path } of all.filter((op) => !having.has(op.path)))
        expect((await w.raw({ method, url: path.replaceAll(/\{\w+\}/g, 'x') })).status, path).toBe(405)
    },
  )
  it('parse failures have no error code', async () => {
    for (const request of [
      { url: '/v1/disks?limit=0' },
      { ...makeDisk, body: broken },
      { url: '/v1/users/x' },
    ]) {
      const { status, error_code: code } = await ask({ who: 'admin', ...request })
      expect({ status, code }).toEqual({ status: 400, code: undefined })
    }
  })
})

describe('the query', () => {
  const get = (search: string) => ask({ url: `/v1/disks?${search}`, who: 'admin' })
  it.each([
    ['limit=5', 'missing field `project`'],
    ['project=demo&project=demo', 'duplicate field `project`'],
    ['project=demo&limit=1&limit=1', 'duplicate field `limit`'],
    ['project=Demo', 'project: name must begin with an ASCII lowercase character'],
    ['project=', 'project: name requires at least one character'],
    ['project', 'project: name requires at least one character'],
    ['project=%ff', 'malformed percent-encoding'],
    ['project=demo&%zz=1', 'malformed percent-encoding'],
  ])('%s: %s', async (search, reason) => {
    expect(await get(search)).toMatchObject({
      status: 400,
      message: `unable to parse query string: ${reason}`,
    })
  })
  it('unknown keys are ignored, also repeated; escapes are understood', async () => {
    for (const search of [
      'project=demo&x=1&x=2',
      '%70roject=%64emo',
      '&&project=demo&',
      'project=demo&constructor=1',
    ])
      expect((await get(search)).status).toBe(200)
  })
  it('a plus is a space, as in forms', async () => {
    expect(await get('project=de+mo')).toMatchObject({
      message: expect.stringContaining('invalid character: " "') as string,
    })
  })
})

describe('names and ids in the path', () => {
  it.each([
    ['/v1/projects/Demo', 'project: name must begin with an ASCII lowercase character'],
    [
      '/v1/projects/de_mo',
      'project: name contains invalid character: "_" (allowed characters are lowercase ASCII, digits, and "-")',
    ],
    [
      '/v1/projects/d%00',
      'project: name contains invalid character: "\0" (allowed characters are lowercase ASCII, digits, and "-")',
    ],
    ['/v1/users/demo', 'user_id: UUID parsing failed: "demo" is not a UUID'],
    ['/v1/disks/%ff?project=demo', 'malformed percent-encoding'],
  ])('%s: 400, not 404', async (url, reason) => {
    expect(await ask({ url, who: 'admin' })).toMatchObject({
      status: 400,
      message: `bad parameter in URL path: ${reason}`,
    })
  })
})

describe('the body', () => {
  it.each([
    null,
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    ' application/json ;x=y',
  ])('content type %s is JSON', async (type) => {
    const { status } = await ask({
      ...makeDisk,
      body: disk(`d${Math.random().toString(36).slice(2)}`),
      headers: type === null ? {} : { 'content-type': type },
    })
    expect(status).toBe(201)
  })
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('content type %s is rejected, so that no form of another site can send it', async (type) => {
    const answer = await ask({ ...makeDisk, headers: { 'content-type': type } })
    const message = `expected content type "application/json", got "${type.split(';')[0]}"`
    expect(answer).toMatchObject({ status: 400, message })
    expect(answer).not.toHaveProperty('error_code')
  })
  it('of an operation without one is ignored', async () => {
    expect(
      (
        await ask({
          method: 'POST',
          url: '/v1/logout',
          body: broken,
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(204)
    expect((await ask({ url: '/v1/me', who: 'admin', body: broken })).status).toBe(200)
  })

  const signedIn = async () => {
    const body = JSON.stringify({ username: 'admin', password: 'admin-password' })
    const { cookies } = await w.raw({ method: 'POST', url: '/v1/login/acme/local', body })
    return cookies[0]?.split(';')[0] ?? ''
  }
  const limitsAsked: number[] = []
  const big = (method: string, url: string, headers: ApiRequest['headers'] = {}): ApiRequest => ({
    method,
    url,
    headers,
    body: ({ limit, beyond }) => {
      limitsAsked.push(limit)
      return Promise.reject(beyond())
    },
  })
  it.each([
    ['POST', '/v1/disks?project=demo', MiB],
    ['POST', '/v1/logout', MiB],
    ['POST', '/v1/login/acme/local', 4096],
    ['POST', '/v1/disks/x/bulk-write?project=demo', 8 * MiB],
    ['DELETE', '/v1/disks/x?project=demo', MiB],
  ])('%s %s with a session: more than %i bytes are refused', async (method, url, limit) => {
    const cookie = await signedIn()
    const { status, body } = await w.plane.dispatch(big(method, url, { cookie }))
    expect(status).toBe(413)
    expect(JSON.parse(body ?? '')).toMatchObject({
      message: `request body exceeded maximum size of ${limit} bytes`,
    })
    expect(limitsAsked.at(-1)).toBe(limit)
  })
  it.each([
    ['POST', '/v1/disks?project=demo', 64 * KiB, 401],
    ['POST', '/v1/disks/x/bulk-write?project=demo', 64 * KiB, 401],
    ['POST', '/v1/logout', 64 * KiB, 413],
    ['POST', '/v1/login/acme/local', 4096, 413],
  ])('%s %s before a session is known: no more than %i bytes are read, then %i', async (...row) => {
    const [method, url, limit, expected] = row
    for (const headers of [{}, { cookie: `session=${'0'.repeat(40)}` }]) {
      expect((await w.plane.dispatch(big(method, url, headers))).status).toBe(expected)
      expect(limitsAsked.at(-1)).toBe(limit)
    }
  })
  it('that arrives after its session has ended is refused', async () => {
    const cookie = await signedIn()
    const slow = async () => {
      await w.raw({ method: 'POST', url: '/v1/logout', headers: { cookie } })
      await w.advance(2000)
      return JSON.stringify({ name: 'late', description: '' })
    }
    const late = { method: 'POST', url: '/v1/projects', headers: { cookie }, body: slow }
    expect((await w.plane.dispatch(late)).status).toBe(401)
  })
  it('is not read if the route is rejected', async () => {
    limitsAsked.length = 0
    expect((await w.plane.dispatch(big('POST', '/v1/nothing'))).status).toBe(404)
    expect((await w.plane.dispatch(big('PATCH', '/v1/disks'))).status).toBe(405)
    expect(limitsAsked).toEqual([])
  })
})

describe('success has its code', () => {
  const unanswered = ['targetReleaseUpdate', 'networkingInboundIcmpUpdate', 'webhookReceiverUpdate']
  it.each<[RawRequest, number]>([
    [{ url: '/v1/ping' }, 200],
    [{ ...makeDisk, body: disk('coded') }, 201],
    [{ method: 'PUT', url: '/v1/projects/demo', who: 'admin', body: '{}' }, 200],
    [{ method: 'DELETE', url: '/v1/disks/coded?project=demo', who: 'admin' }, 204],
    [{ method: 'POST', url: '/v1/logout' }, 204],
  ])('%o', async (request, status) => {
    expect((await w.raw(request)).status).toBe(status)
  })
  it('as the table of operations says: deletes 204, actions 202, reads, questions and updates 200', () => {
    for (const [name, op] of Object.entries<OpShape>(operations)) {
      // Requests that only read, with a body because the question is long, change nothing; OAuth has its own answers.
      const actions = /\/(query|trace|preview|auth|token|probe)$/.test(op.path) ? [200] : [201, 202, 204]
      // Browsers are led on.
      const led = op.path.startsWith('/login/')
        ? ({ GET: [200, 302, 303], POST: [303, 204] } as const)
        : undefined
      const expected = {
        GET: led?.GET ?? [200, 'upgrade'],
        PUT: unanswered.includes(name) ? [204] : [200],
        DELETE: [204],
        POST: led?.POST ?? actions,
        PATCH: [200, 204],
        HEAD: [200],
      }[op.method]
      expect(expected, name).toContain(op.ok)
      expect(op.response === undefined, name).toBe(
        [204, 302, 303, 'upgrade'].includes(op.ok) || op.streams !== undefined,
      )
    }
  })
})

describe('requests from another origin', () => {
  const from = (origin: string | null, more: Partial<RawRequest> = {}) =>
    ask({
      ...makeDisk,
      body: disk(`o${Math.random().toString(36).slice(2)}`),
      ...more,
      headers: { host: 'purlin.test', ...(origin === null ? {} : { origin }) },
    })

  it.each([
    'https://evil.test',
    'http://purlin.test.evil.test',
    'https://purlin.test:8443',
    'null',
    'purlin.test.',
    'file://',
  ])('that would change something are refused: %s', async (origin) => {
    const before = await dump(w)
    expect(await from(origin)).toMatchObject({ status: 403, error_code: 'Forbidden' })
    expect(await from(origin, { method: 'POST', url: '/v1/logout', body: '' })).toMatchObject({ status: 403 })
    expect(await dump(w)).toEqual(before)
  })
  it('the own origin, and clients that send none, may', async () => {
    for (const origin of ['http://purlin.test', 'HTTP://Purlin.test', null])
      expect((await from(origin)).status).toBe(201)
  })
  it.each<[string, Partial<ApiRequest>, number]>([
    ['https://purlin.test', {}, 403],
    ['https://purlin.test', { secure: true }, 204],
    ['http://purlin.test', { secure: true }, 403],
    ['https://cloud.test', { publicOrigin: 'https://cloud.test' }, 204],
    ['http://cloud.test', { publicOrigin: 'https://cloud.test' }, 403],
  ])('%s is compared with its scheme: %j', async (origin, more, status) => {
    const headers = { host: 'purlin.test', origin }
    const answer = await w.plane.dispatch({ method: 'POST', url: '/v1/logout', headers, ...more })
    expect(answer.status).toBe(status)
  })
  it('reads are allowed: without CORS headers no other origin sees them', async () => {
    expect((await from('https://evil.test', { method: 'GET', url: '/v1/me' })).status).toBe(200)
  })
})

it('an unexpected error is logged once, and its details are not sent', async () => {
  const other = await openWorld()
  const bytes = other.world.ids.bytes.bind(other.world.ids)
  other.world.ids.bytes = () => {
    throw new Error('secret detail of the machine room')
  }
  const response = await other.raw({
    method: 'POST',
    url: '/v1/projects',
    who: 'admin',
    body: JSON.stringify({ name: 'x', description: '' }),
  })
  other.world.ids.bytes = bytes
  expect(response.status).toBe(500)
  expect(response.json).toEqual({
    request_id: response.headers['x-request-id'],
    error_code: 'Internal',
    message: 'Internal Server Error',
  })
  expect(other.errors).toHaveLength(1)
  expect(other.errors[0]).toContain('secret detail')
  expect(other.errors[0]).toContain(response.headers['x-request-id'])
  expect((await other.raw({ url: '/v1/projects/x', who: 'admin' })).status).toBe(404)
  await other.close()
})

it('a request whose client is gone before its turn is not begun', async () => {
  const gone = { method: 'GET', url: '/v1/me', headers: {}, signal: { aborted: true } }
  expect((await w.plane.dispatch(gone)).status).toBe(408)
})
