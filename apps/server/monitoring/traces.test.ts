import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { portOf } from '../http/listening.ts'
import { killAll } from '../testing/children.ts'
import { admin, serve } from '../testing/process.ts'
import { ask, signIn } from '../testing/requests.ts'
import { createTraces } from './open-telemetry.ts'

interface Value {
  stringValue?: string
  intValue?: number
  arrayValue?: { values: Value[] }
}
interface RawSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code: number }
  attributes: { key: string; value: Value }[]
}
interface Exported {
  resourceSpans: {
    resource: Pick<RawSpan, 'attributes'>
    scopeSpans: { spans: RawSpan[] }[]
  }[]
}

const valueOf = ({ stringValue, intValue, arrayValue }: Value): unknown =>
  stringValue ?? intValue ?? arrayValue?.values.map(valueOf)
const attributesOf = ({ attributes }: Pick<RawSpan, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]))

/** Starts a collector on loopback that keeps all that arrives (OTLP over HTTP, JSON). */
async function startCollector(answer = (response: ServerResponse) => void response.end('{}')) {
  const got: { exported: Exported; headers: IncomingHttpHeaders }[] = []
  const server = createServer((request, response) => {
    void json(request).then((exported) => {
      got.push({ exported: exported as Exported, headers: request.headers })
      answer(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server)}/v1/traces`,
    got,
    spans: () =>
      got
        .flatMap(({ exported }) => exported.resourceSpans.flatMap((one) => one.scopeSpans))
        .flatMap((one) => one.spans),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const parent = (trace: string, flags: string) => `00-${trace.repeat(32)}-${'b'.repeat(16)}-${flags}`

describe('a server with --traces-to', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let created: { id: string | string[] | undefined }
  beforeAll(async () => {
    collector = await startCollector()
    const server = await serve({
      args: ['--traces-to', collector.url, '--admin-user', 'zebediah'],
      env: { PURLIN_TRACES_HEADERS: 'Authorization=Bearer%20of-the-collector' },
    })
    const { cookie } = await signIn(server.url, { ...admin, user: 'zebediah' })
    const as = (traceparent: string) => ({
      headers: { cookie, traceparent, 'content-type': 'application/json' },
    })
    const { headers, status } = await ask(server.url, '/v1/projects', {
      method: 'POST',
      ...as(parent('1', '01')),
      body: JSON.stringify({ name: 'hidden-project', description: 'hidden-words' }),
    })
    expect(status).toBe(201)
    created = { id: headers['x-request-id'] }
    await ask(server.url, '/v1/projects/hidden-project', as(parent('2', '01')))
    await ask(server.url, '/v1/projects?limit=5', as(parent('3', '00')))
    await ask(server.url, '/v1/me?token=hidden-token', { headers: { cookie: 'session=hidden-session' } })
    await ask(server.url, '/v1/ping', as('00-nothing-like-it'))
    await ask(server.url, '/hidden-page', as(parent('4', '01')))
    await ask(server.url, '/healthz', as(parent('5', '01')))
    // The rest is sent at the end.
    await server.stop()
  })
  afterAll(() => {
    killAll()
    collector.close()
  })
  const spansOf = (trace: string) => collector.spans().filter(({ traceId }) => traceId === trace.repeat(32))

  it('sends a span of a request with traceparent as its child, and the transactions in it', () => {
    const [request, ...others] = spansOf('1').toSorted((a, b) => a.kind - b.kind)
    expect(request).toMatchObject({ name: 'projectCreate', kind: 2, parentSpanId: 'b'.repeat(16) })
    expect(request && attributesOf(request)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/projects',
      'http.response.status_code': 201,
      'http.response.header.x-request-id': [created.id],
    })
    const write = others.find(({ name }) => name === 'transaction write')
    expect(write).toMatchObject({ kind: 3, parentSpanId: request?.spanId })
    expect(write && attributesOf(write)).toEqual({
      'db.system.name': 'sqlite',
      'purlin.transaction.mode': 'write',
    })
    expect(BigInt(write?.endTimeUnixNano ?? 0)).toBeGreaterThan(BigInt(write?.startTimeUnixNano ?? 0))
  })

  it('names requests by operation and route, pages as pages, and nothing that monitoring asks', () => {
    const requestOf = (trace: string) => spansOf(trace).filter(({ kind }) => kind === 2)
    expect(requestOf('2').map((one) => attributesOf(one)['http.route'])).toEqual(['/v1/projects/{project}'])
    expect(requestOf('4')).toEqual([expect.objectContaining({ name: 'page' })])
    expect(spansOf('5')).toEqual([])
    const refused = collector.spans().find(({ name }) => name === 'currentUserView')
    expect(refused && attributesOf(refused)['http.response.status_code']).toBe(401)
  })

  it('follows the decision of a traceparent, and ignores an invalid one', () => {
    expect(spansOf('3')).toEqual([])
    const ping = collector.spans().find(({ name }) => name === 'ping')
    expect(ping?.traceId).toMatch(/^[\da-f]{32}$/)
    expect(ping?.parentSpanId).toBeUndefined()
  })

  it('sends the rounds of loops that have written', () => {
    const rounds = collector.spans().filter(({ name }) => name.startsWith('loop '))
    expect(rounds.length).toBeGreaterThan(0)
    for (const { spanId } of rounds) {
      const inside = collector.spans().filter(({ parentSpanId }) => parentSpanId === spanId)
      expect(inside.map(({ name }) => name)).toContainEqual(
        expect.stringMatching(/^transaction (?:write|append)$/),
      )
    }
  })

  it('says which server it is, with the headers of its collector', () => {
    const { exported, headers } = collector.got.at(-1) ?? {}
    expect(headers).toMatchObject({
      authorization: 'Bearer of-the-collector',
      'content-type': 'application/json',
    })
    expect(exported?.resourceSpans.map(({ resource }) => attributesOf(resource))).toEqual([
      expect.objectContaining({
        'service.name': 'purlin',
        'service.version': expect.any(String),
        'service.instance.id': expect.any(String),
      }),
    ])
  })

  it('sends no query, body, cookie, name or address', () => {
    const text = JSON.stringify(collector.got.map(({ exported }) => exported))
    expect(text).not.toMatch(/hidden|zebediah|127\.0\.0\.1|Bearer/)
    expect(text).not.toContain(admin.password)
  })
})

const newTraces = (url: string, { ratio = 1, closeMs = 10_000 } = {}) => {
  const lines: string[] = []
  const add = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`)
  const log = { info: add, warn: add, error: add }
  const traces = createTraces({ url, ratio, headers: {}, log, version: '0', instance: 'one', closeMs })
  const record = (count: number, traceparent?: string) => {
    for (let i = 0; i < count; i++)
      traces.begin(traceparent).end({ operation: 'ping', method: 'GET', status: 200, requestId: 'x' })
  }
  return { traces, lines, record }
}

describe('traces', () => {
  it('keep a bounded number of spans while the collector does not answer', async () => {
    const waiting: ServerResponse[] = []
    const collector = await startCollector((response) => void waiting.push(response))
    onTestFinished(collector.close)
    const { traces, record } = newTraces(collector.url)
    record(512)
    await expect.poll(() => waiting.length).toBe(1)
    record(10_000)
    const closed = traces.close()
    await expect.poll(() => waiting.length).toBe(5)
    for (const response of waiting.splice(0)) response.end('{}')
    await closed
    expect(collector.spans()).toHaveLength(512 + 2048)
  })

  it('say once that a collector takes none, without its words, and once that it does again', async () => {
    let status = 400
    const collector = await startCollector((response) => void response.writeHead(status).end('hidden-words'))
    onTestFinished(collector.close)
    const { traces, record, lines } = newTraces(collector.url)
    record(1024)
    await expect.poll(() => collector.got.length).toBe(2)
    status = 200
    record(512)
    await traces.close()
    expect(lines).toEqual([
      'the collector takes no traces: they are dropped {"reason":"400"}',
      'the collector takes traces again {}',
    ])
  })

  it('end while the collector is away', async () => {
    const collector = await startCollector()
    collector.close()
    const { traces, record } = newTraces(collector.url, { closeMs: 50 })
    record(3000)
    await traces.close()
    expect(collector.got).toEqual([])
  })

  it('are none of the requests without a decision at a ratio of 0', async () => {
    const collector = await startCollector()
    onTestFinished(collector.close)
    const { traces, record } = newTraces(collector.url, { ratio: 0 })
    record(5)
    record(1, parent('7', '01'))
    await traces.close()
    expect(collector.spans().map(({ traceId }) => traceId)).toEqual(['7'.repeat(32)])
  })

  it('have failed rounds, which throw as before, and no idle ones', async () => {
    const collector = await startCollector()
    onTestFinished(collector.close)
    const { traces } = newTraces(collector.url)
    expect(await traces.tracer.round('idle', () => Promise.resolve(7))).toBe(7)
    const failure = new TypeError('hidden-words')
    await expect(traces.tracer.round('broken', () => Promise.reject(failure))).rejects.toBe(failure)
    await traces.close()
    const [span, ...others] = collector.spans()
    expect(others).toEqual([])
    expect(span).toMatchObject({ name: 'loop broken', status: { code: 2 } })
    expect(span && attributesOf(span)).toEqual({ 'purlin.loop': 'broken', 'error.type': 'TypeError' })
  })
})
