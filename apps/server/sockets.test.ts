import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openDoors, type Doors } from './testing/doors.ts'

let doors: Doors
let cookie: string
const minute = 60_000
const path = (instance: string, query = '') =>
  `/v1/instances/${instance}/serial-console/stream?project=demo${query}`

async function open(): Promise<void> {
  doors = await openDoors()
  for (const name of ['web', 'idle']) await create(name, name === 'web')
  await doors.world.advance(30_000)
  cookie = await doors.signIn('admin')
}
beforeAll(open)
afterAll(() => doors.close())

const create = (name: string, start: boolean) =>
  doors.world.as('admin').instanceCreate({
    query: { project: 'demo' },
    body: {
      name,
      description: '',
      ncpus: 1,
      memory: 2 ** 30,
      hostname: name,
      networkInterfaces: { type: 'none' },
      start,
    },
  })

interface Console {
  ws: WebSocket
  seen: () => string
  closed: Promise<{ code: number; reason: string }>
}

async function connect(target: string, headers: Record<string, string> = { cookie }): Promise<Console> {
  const ws = new WebSocket(`ws://127.0.0.1:${doors.port}${target}`, { headers })
  const chunks: Buffer[] = []
  ws.on('message', (data, isBinary) => isBinary && chunks.push(data as Buffer))
  const closed = once(ws, 'close').then(([code, reason]) => ({
    code: code as number,
    reason: String(reason),
  }))
  closed.catch(() => undefined)
  await once(ws, 'open')
  return { ws, closed, seen: () => Buffer.concat(chunks).toString() }
}

/** The plain answer of a refused upgrade. */
async function refusal(target: string, headers: Record<string, string>) {
  const ws = new WebSocket(`ws://127.0.0.1:${doors.port}${target}`, { headers })
  ws.on('error', () => undefined)
  const [, response] = (await once(ws, 'unexpected-response')) as [unknown, IncomingMessage]
  const body = JSON.parse(String(Buffer.concat(await response.toArray()))) as {
    message: string
    request_id: string
  }
  expect(body.request_id).toBe(response.headers['x-request-id'])
  expect(response.headers['x-content-type-options']).toBe('nosniff')
  return `${response.statusCode} ${body.message}`
}

describe('who may not open a serial console', () => {
  it('is told so before there is a socket', async () => {
    expect(await refusal(path('web'), {})).toBe('401 credentials missing or invalid')
    expect(await refusal(path('web'), { cookie: 'session=00' })).toBe('401 credentials missing or invalid')
    expect(await refusal(path('web'), { cookie: await doors.signIn('nobody') })).toMatch(
      /^404 not found: project/,
    )
    expect(await refusal(path('web'), { cookie: await doors.signIn('viewer') })).toBe('403 Forbidden')
    expect(await refusal(path('gone'), { cookie })).toBe('404 not found: instance with name "gone"')
    expect(await refusal(path('idle'), { cookie })).toMatch(/^400 instance is stopped/)
    expect(await refusal(path('web', '&most_recent=x'), { cookie })).toMatch(
      /^400 unable to parse query string/,
    )
  })

  it('pages of other sites are refused', async () => {
    expect(await refusal(path('web'), { cookie, origin: 'https://evil.example' })).toMatch(/^403 /)
    const { ws } = await connect(path('web'), { cookie, origin: `http://127.0.0.1:${doors.port}` })
    ws.close()
  })

  it('other operations have no socket', async () => {
    expect(await refusal('/v1/ping', { cookie })).toBe('400 this operation has no socket')
    expect(await refusal('/nope', { cookie })).toBe('404 Not Found')
  })

  it('malformed handshakes are explained', async () => {
    const upgrade = (more: string) =>
      doors.sendRaw(
        `GET ${path('web')} HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n${more}\r\n`,
      )
    expect(await upgrade('sec-websocket-version: 12\r\n')).toMatch(
      /^HTTP\/1.1 400 [^]*missing or invalid websocket version/,
    )
    expect(await upgrade('sec-websocket-version: 13\r\n')).toMatch(/^HTTP\/1.1 400 [^]*missing websocket key/)
    const plain = await doors.ask(path('web'), { headers: { cookie } })
    expect(plain.status).toBe(400)
    expect(plain.text).toContain('expected connection upgrade')
  })
})

describe('a serial console', () => {
  it('replays history, carries bytes both ways and ignores text', async () => {
    const { ws, seen } = await connect(path('web'))
    await expect.poll(seen).toContain('login:')
    ws.send('never typed')
    ws.send(Buffer.from('typed\r'))
    const echoed = async () => {
      await doors.world.advance(1000)
      return seen()
    }
    await expect.poll(echoed).toContain('typed')
    expect(seen()).not.toContain('never')
    ws.close()
  })

  it('sends as much history as was asked for', async () => {
    const { ws, seen } = await connect(path('web', '&most_recent=10'))
    await expect.poll(() => seen().length).toBe(10)
    ws.close()
  })

  it('pings, and drops a client that does not answer', async () => {
    const alive = await connect(path('web'))
    const dead = new WebSocket(`ws://127.0.0.1:${doors.port}${path('web')}`, {
      headers: { cookie },
      autoPong: false,
    })
    await once(dead, 'open')
    const gone = once(dead, 'close')
    const pinged = once(alive.ws, 'ping')
    await doors.world.advance(30_000)
    await pinged
    await new Promise((resolve) => setTimeout(resolve, 100))
    await doors.world.advance(30_000)
    expect((await gone)[0]).toBe(1006)
    expect(alive.ws.readyState).toBe(WebSocket.OPEN)
    alive.ws.close()
  })

  it('ends with the session', async () => {
    const own = await doors.signIn('collaborator')
    const { closed } = await connect(path('web'), { cookie: own })
    await doors.ask('/v1/logout', { method: 'POST', headers: { cookie: own } })
    await doors.world.advance(minute)
    expect(await closed).toEqual({ code: 1008, reason: 'the session has ended' })
  })

  it('ends when the machine stops', async () => {
    const { closed } = await connect(path('web'))
    await doors.world.as('admin').instanceStop({ params: { instance: 'web' }, query: { project: 'demo' } })
    await doors.world.advance(30_000)
    expect(await closed).toEqual({ code: 1001, reason: 'VM stopped' })
  })

  it('says goodbye when the server ends', async () => {
    await create('last', true)
    await doors.world.advance(30_000)
    const { closed } = await connect(path('last'))
    await doors.sockets.close()
    expect(await closed).toEqual({ code: 1001, reason: 'the server is shutting down' })
    expect(await refusal(path('last'), { cookie })).toBe('503 Service Unavailable')
  })
})

describe('a session', () => {
  beforeAll(async () => {
    await doors.close()
    await open()
  })

  it('is not kept alive by a console that is only looked at', async () => {
    const { closed, ws } = await connect(path('web'))
    const started = doors.world.clock.now()
    const day = async () => {
      for (let i = 0; i < 485 && ws.readyState === WebSocket.OPEN; i++) {
        await doors.world.advance(minute)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    await day()
    expect(await closed).toMatchObject({ code: 1008 })
    expect(doors.world.clock.now() - started).toBeGreaterThan(480 * minute)
  })
})
