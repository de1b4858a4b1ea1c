import type { ApiRequest } from '@purlin/contract/http'
import { op, type OpShape } from '@purlin/contract/op'
import { bytes, object, string } from '@purlin/contract/schema'
import { mediaTypes } from '@purlin/contract/schemas/media-types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, utf8 } from '#/bytes.ts'
import { fault } from '#/faults.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { createDispatcher, type Dispatcher } from './dispatch.ts'
import { rangeOf } from './replies/file-replies.ts'
import type { AnyHandler } from './request.ts'

const text = object({ text: string({ maxLength: 20 }) })
const common = { allow: 'public', tag: 'test' } as const
const file = { ...common, path: '/files', ok: 200, streams: [mediaTypes.bytes], hasRanges: true } as const
const bundle = bytesOf('0123456789')

/** Operations with properties that few of the real ones have, and what their handlers do. */
const examples: Record<string, [OpShape, AnyHandler]> = {
  change: [
    op({ ...common, method: 'PATCH', path: '/notes', ok: 200, body: text, response: text }),
    answering(({ body }) => body),
  ],
  upload: [
    op({
      ...common,
      method: 'POST',
      path: '/upload',
      ok: 200,
      bodyType: mediaTypes.bytes,
      bodyLimit: 100_000,
      body: bytes(100_000),
      response: text,
    }),
    answering(({ body }) => {
      const sent = body as Uint8Array
      return { text: `${sent.length} ${sent[0]} ${sent.at(-1)}` }
    }),
  ],
  directory: [
    op({
      ...common,
      method: 'POST',
      path: '/directory',
      ok: 201,
      bodyType: mediaTypes.scim,
      responseType: mediaTypes.scim,
      errorFormat: 'scim',
      body: text,
      response: text,
    }),
    answering(({ body }) => {
      if ((body as { text: string }).text === 'taken') throw fault.conflict('the user name is taken')
      return body
    }),
  ],
  assertion: [
    op({ ...common, method: 'POST', path: '/assertion', ok: 204, allowsForeignOrigin: true }),
    answering(() => undefined),
  ],
  download: [op({ ...file, method: 'GET' }), sending()],
  downloadHead: [op({ ...file, method: 'HEAD' }), sending()],
}

function answering(result: (input: { body?: unknown }) => unknown): AnyHandler {
  return { withoutTransaction: (_ctx, input) => Promise.resolve().then(() => result(input)) }
}
function sending(): AnyHandler {
  return {
    withoutTransaction: ({ answer }) => {
      answer.file = {
        contentType: 'application/zip',
        fileName: 'bundle.zip',
        size: bundle.length,
        tag: '"v1"',
        read: (from, to) => pieces(bundle.subarray(from, to)),
      }
      return Promise.resolve()
    },
  }
}
async function* pieces(data: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < data.length; at += 4) yield await Promise.resolve(data.subarray(at, at + 4))
}

let w: TestWorld
let api: Dispatcher
beforeAll(async () => {
  w = await openWorld()
  const operations = Object.fromEntries(Object.entries(examples).map(([name, [shape]]) => [name, shape]))
  const handlerOf = (name: string): AnyHandler => examples[name]?.[1] ?? answering(() => undefined)
  api = createDispatcher(w.world, { wake: () => undefined }, { operations, handlerOf })
})
afterAll(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

async function ask(method: string, url: string, more: Partial<ApiRequest> = {}) {
  const {
    status,
    headers,
    body,
    bytes: sent,
  } = await api.dispatch({
    method,
    url,
    remote: '127.0.0.1',
    ...more,
    headers: { host: 'purlin.test', ...more.headers },
  })
  let streamed = ''
  for await (const piece of sent ?? []) streamed += utf8(piece)
  return { status, headers, body: sent ? streamed : body }
}
const ofType = (type: string) => ({ 'content-type': type })

describe('a body', () => {
  it('of PATCH is read like that of any change', async () => {
    const { status, body } = await ask('PATCH', '/notes', { body: '{"text":"a"}' })
    expect({ status, body }).toEqual({ status: 200, body: '{"text":"a"}' })
  })

  it.each([
    ['bytes that are no text', Uint8Array.of(255, 0, 254), '3 255 254'],
    ['bytes that a server read as text', 'ab', '2 97 98'],
    ['nothing', '', '0 undefined undefined'],
  ])('of bytes is not parsed: %s', async (_, body, expected) => {
    const answer = await ask('POST', '/upload', { headers: ofType(mediaTypes.bytes), body })
    expect(JSON.parse(answer.body ?? '')).toEqual({ text: expected })
  })

  it('of another type than the operation has is refused', async () => {
    const { status, body } = await ask('POST', '/upload', { headers: ofType(mediaTypes.json), body: '{}' })
    expect(status).toBe(400)
    expect(body).toContain('expected content type \\"application/octet-stream\\"')
  })

  it('of SCIM may say that it is JSON', async () => {
    for (const type of [mediaTypes.scim, mediaTypes.json]) {
      const answer = await ask('POST', '/directory', { headers: ofType(type), body: '{"text":"ada"}' })
      expect(answer).toMatchObject({ status: 201, headers: ofType(mediaTypes.scim), body: '{"text":"ada"}' })
    }
  })
})

describe('errors of an operation with another format', () => {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  it.each([
    ['of the handler', '{"text":"taken"}', '409', 'the user name is taken'],
    ['of parsing', '{', '400', 'unable to parse JSON body'],
  ])('%s have it', async (_, sent, status, detail) => {
    const { headers, body } = await ask('POST', '/directory', {
      headers: ofType(mediaTypes.scim),
      body: sent,
    })
    expect(headers).toMatchObject({
      ...ofType(mediaTypes.scim),
      'x-request-id': expect.any(String) as string,
    })
    expect(JSON.parse(body ?? '')).toMatchObject({
      schemas,
      status,
      detail: expect.stringContaining(detail) as string,
    })
  })

  it('of paths without an operation have the envelope', async () => {
    expect(JSON.parse((await ask('POST', '/nowhere')).body ?? '')).toMatchObject({ message: 'Not Found' })
  })
})

describe('the origin', () => {
  const elsewhere = { origin: 'https://elsewhere.test' }
  it('of another site is refused', async () => {
    expect(await ask('PATCH', '/notes', { headers: elsewhere, body: '{"text":"a"}' })).toMatchObject({
      status: 403,
    })
  })
  it('of another site is accepted if the operation says so', async () => {
    expect(await ask('POST', '/assertion', { headers: elsewhere })).toMatchObject({ status: 204 })
  })
})

describe('a file', () => {
  const whole = {
    'content-type': 'application/zip',
    'content-length': '10',
    'content-disposition': 'attachment; filename="bundle.zip"',
    'accept-ranges': 'bytes',
    etag: '"v1"',
  }
  const part = (range: string, more = {}) => ask('GET', '/files', { headers: { range, ...more } })

  it('is sent as a whole, and HEAD has the same headers', async () => {
    const answer = await ask('GET', '/files')
    expect(answer).toMatchObject({ status: 200, headers: whole, body: '0123456789' })
    const head = await ask('HEAD', '/files')
    expect(head).toMatchObject({ status: 200, headers: whole, body: null })
    expect(Object.keys(head.headers)).toEqual(Object.keys(answer.headers))
  })

  it('is sent in part', async () => {
    expect(await part('bytes=2-6')).toMatchObject({
      status: 206,
      headers: { ...whole, 'content-length': '5', 'content-range': 'bytes 2-6/10' },
      body: '23456',
    })
  })

  it('is sent as a whole if it has changed since its first part', async () => {
    expect(await part('bytes=2-6', { 'if-range': '"v0"' })).toMatchObject({ status: 200 })
    expect(await part('bytes=2-6', { 'if-range': '"v1"' })).toMatchObject({ status: 206 })
  })

  it('without the requested part answers 416 with its size', async () => {
    const { status, headers } = await part('bytes=10-')
    expect({ status, range: headers['content-range'] }).toEqual({ status: 416, range: 'bytes */10' })
  })
})

it.each([
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=4-', { from: 4, to: 10 }],
  ['bytes=4-400', { from: 4, to: 10 }],
  ['bytes=-3', { from: 7, to: 10 }],
  ['bytes=-30', { from: 0, to: 10 }],
  ['bytes=0-1,3-4', undefined],
  ['bytes=5-4', undefined],
  ['bytes=-', undefined],
  ['lines=1-2', undefined],
  [undefined, undefined],
])('the range %s of ten bytes', (header, expected) => {
  expect(rangeOf(header, 10)).toEqual(expected)
})

it.each([
  ['bytes=10-', 10],
  ['bytes=-0', 10],
  ['bytes=-1', 0],
  ['bytes=0-', 0],
])('the range %s of %i bytes does not exist', (header, size) => {
  expect(() => rangeOf(header, size)).toThrow('the range is not within')
})
