import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startServers, type TestServers } from '../testing/test-servers.ts'

let servers: TestServers
let cookie: string
const minute = 60_000
const path = (instance: string, query = '') =>
  `/v1/instances/${instance}/serial-console/stream?project=demo${query}`

async function open(): Promise<void> {
  servers = await startServers()
  for (const name of ['web', 'idle']) await create(name, name === 'web')
  await servers.world.advance(30_000)
  cookie = await servers.signIn('admin')
}
beforeAll(open)
afterAll(() => servers.close())

const create = (name: string, start: boolean) =>
  servers.world.as('admin').instanceCreate({
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
  const ws = new WebSocket(`ws://127.0.0.1:${servers.port}${target}`, { headers })
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

/** Status and message of a rejected upgrade. */
async function upgradeError(target: string, headers: Record<string, string>) {
  const ws = new WebSocket(`ws://127.0.0.1:${servers.port}${target}`, { headers })
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

describe('an upgrade that is rejected', () => {
  it('gets an HTTP error instead of a socket', async () => {
    expect(await upgradeError(path('web'), {})).toBe('401 credentials missing or invalid')
    expect(await upgradeError(path('web'), { cookie: 'session=00' })).toBe(
      '401 credentials missing or invalid',
    )
    expect(await upgradeError(path('web'), { cookie: await servers.signIn('noRole') })).toMatch(
      /^404 not found: project/,
    )
    expect(await upgradeError(path('web'), { cookie: await servers.signIn('viewer') })).toBe('403 Forbidden')
    expect(await upgradeError(path('gone'), { cookie })).toBe('404 not found: instance with name "gone"')
    expect(await upgradeError(path('idle'), { cookie })).toMatch(/^400 instance is stopped/)
    expect(await upgradeError(path('web', '&most_recent=x'), { cookie })).toMatch(
      /^400 unable to parse query string/,
    )
  })

  it('pages of other sites are refused', async () => {
    expect(await upgradeError(path('web'), { cookie, origin: 'https://evil.example' })).toMatch(/^403 /)
    const { ws } = await connect(path('web'), { cookie, origin: `http://127.0.0.1:${servers.port}` })
    ws.close()
  })

  it('other operations have no socket', async () => {
    expect(await upgradeError('/v1/ping', { cookie })).toBe('400 this operation has no socket')
    expect(await upgradeError('/nope', { cookie })).toBe('404 Not Found')
  })

  it('malformed handshakes get an error with the reason', async () => {
    const upgrade = (more: string) =>
      servers.sendRaw(
        `GET ${path('web')} HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n${more}\r\n`,
      )
    expect(await upgrade('sec-websocket-version: 12\r\n')).toMatch(
      /^HTTP\/1.1 400 [^]*missing or invalid websocket version/,
    )
    expect(await upgrade('sec-websocket-version: 13\r\n')).toMatch(/^HTTP\/1.1 400 [^]*missing websocket key/)
    const plain = await servers.ask(path('web'), { headers: { cookie } })
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
      await servers.world.advance(1000)
      return seen()
    }
    await expect.poll(echoed).toContain('typed')
    expect(seen()).not.toContain('never')
    ws.close()
  })

  it('sends the requested amount of history', async () => {
    const { ws, seen } = await connect(path('web', '&most_recent=10'))
    await expect.poll(() => seen().length).toBe(10)
    ws.close()
  })

  it('whose reader stands still is closed, and the others miss nothing', async () => {
    await create('noisy', true)
    await servers.world.advance(30_000)
    const still = await connect(path('noisy'))
    const other = await connect(path('noisy', '&most_recent=0'))
    still.ws.pause()
    let got = 0
    other.ws.on('message', (data) => (got += (data as Buffer).length))
    // More than the server and the system keep for one reader.
    const query = { project: 'demo' }
    const { id } = await servers.world.as('admin').instanceView({ params: { instance: 'noisy' }, query })
    const piece = Buffer.alloc(256 * 1024, 'x')
    for (let sent = 1; sent <= 128; sent++) {
      servers.world.sleds.print(id, piece)
      await expect.poll(() => got, { interval: 5 }).toBeGreaterThanOrEqual(sent * piece.length)
    }
    still.ws.resume()
    expect(await still.closed).toEqual({ code: 1013, reason: 'the client reads too slowly' })
    expect(still.seen().length).toBeLessThan(got)
    other.ws.close()
  })

  it('pings, and drops a client that does not answer', async () => {
    const alive = await connect(path('web'))
    const dead = new WebSocket(`ws://127.0.0.1:${servers.port}${path('web')}`, {
      headers: { cookie },
      autoPong: false,
    })
    await once(dead, 'open')
    const gone = once(dead, 'close')
    const pinged = once(alive.ws, 'ping')
    await servers.world.advance(30_000)
    await pinged
    // Its echo comes after the pong that was sent before it.
    alive.ws.send(Buffer.from('typed\r'))
    const echoed = async () => {
      await servers.world.advance(100)
      return alive.seen()
    }
    await expect.poll(echoed).toContain('typed')
    await servers.world.advance(30_000)
    expect((await gone)[0]).toBe(1006)
    expect(alive.ws.readyState).toBe(WebSocket.OPEN)
    alive.ws.close()
  })

  it('ends within a second of signing out', async () => {
    const own = await servers.signIn('collaborator')
    const { closed } = await connect(path('web'), { cookie: own })
    const other = await connect(path('web'))
    await servers.ask('/v1/logout', { method: 'POST', headers: { cookie: own } })
    await servers.world.advance(1000)
    expect(await closed).toEqual({ code: 1008, reason: 'the session has ended' })
    expect(other.ws.readyState).toBe(WebSocket.OPEN)
    other.ws.close()
  })

  const policyParams = { params: { project: 'demo' } }

  it('ends within a second of losing the role, and accepts no more keys', async () => {
    const before = await servers.world.as('admin').projectPolicyView(policyParams)
    const { closed, ws, seen } = await connect(path('web'), {
      cookie: await servers.signIn('projectCollaborator'),
    })
    const without = before.roleAssignments.map((one) =>
      one.identityId === servers.world.ids['projectCollaborator']
        ? { ...one, roleName: 'viewer' as const }
        : one,
    )
    await servers.world.advance(1000)
    expect(ws.readyState).toBe(WebSocket.OPEN)
    await servers.world
      .as('admin')
      .projectPolicyUpdate({ ...policyParams, body: { roleAssignments: without } })
    await servers.world.advance(1000)
    expect(await closed).toEqual({ code: 1008, reason: 'you may no longer open this serial console' })
    expect(seen()).toContain('login:')
    await servers.world.as('admin').projectPolicyUpdate({ ...policyParams, body: before })
  })

  it('ends with the user, and with the instance', async () => {
    await create('short', true)
    await servers.world.advance(30_000)
    const ofUser = await connect(path('web'), { cookie: await servers.signIn('projectAdmin') })
    const ofInstance = await connect(path('short'))
    await servers.world.world.engine.transaction('write', async (tx) => {
      await tx
        .deleteFrom('siloUser')
        .where('id', '=', servers.world.ids['projectAdmin'] ?? '')
        .execute()
      await tx.deleteFrom('instance').where('name', '=', 'short').execute()
    })
    await servers.world.advance(1000)
    expect(await ofUser.closed).toEqual({ code: 1008, reason: 'the session has ended' })
    expect(await ofInstance.closed).toEqual({ code: 1001, reason: 'the instance was deleted' })
  })

  it('ends if access could not be checked for 10 s', async () => {
    const { closed, ws } = await connect(path('web'))
    const { engine } = servers.world.world
    const working = { ...engine }
    await servers.world.advance(500)
    // A change, so that there is something to check.
    await servers.world.as('admin').projectUpdate({ ...policyParams, body: { description: 'new' } })
    engine.transaction = () => Promise.reject(new Error('the database is away'))
    await servers.world.clock.advance(9000)
    expect(ws.readyState).toBe(WebSocket.OPEN)
    await servers.world.clock.advance(1500)
    Object.assign(engine, working)
    expect(await closed).toEqual({ code: 1013, reason: 'permissions cannot be checked at the moment' })
    await servers.world.settle()
  })

  it('a user has at most twenty open consoles', async () => {
    const own = { cookie: await servers.signIn('collaborator') }
    const all = await Promise.all(Array.from({ length: 20 }, () => connect(path('web'), own)))
    expect(await upgradeError(path('web'), own)).toBe(
      '429 you have 20 serial consoles open, which is the limit. Close one first',
    )
    const other = await connect(path('web'))
    other.ws.close()
    all[0]?.ws.close()
    await all[0]?.closed
    const again = async () => {
      const one = await connect(path('web'), own).catch(() => null)
      one?.ws.close()
      return one !== null
    }
    await expect.poll(again).toBe(true)
    for (const { ws } of all) ws.close()
  })

  it('ends when the machine stops', async () => {
    const { closed } = await connect(path('web'))
    await servers.world.as('admin').instanceStop({ params: { instance: 'web' }, query: { project: 'demo' } })
    await servers.world.advance(30_000)
    expect(await closed).toEqual({ code: 1001, reason: 'VM stopped' })
  })

  it('is closed with a reason when the server ends', async () => {
    await create('last', true)
    await servers.world.advance(30_000)
    const { closed } = await connect(path('last'))
    await servers.sockets.close()
    expect(await closed).toEqual({ code: 1001, reason: 'the server is shutting down' })
    expect(await upgradeError(path('last'), { cookie })).toBe('503 Service Unavailable')
  })
})

describe('a session', () => {
  beforeAll(async () => {
    await servers.close()
    await open()
  })

  const lastUsed = async (at?: number) =>
    servers.world.world.engine.transaction('write', async (tx) => {
      const own = (rows: 'session') =>
        tx.updateTable(rows).where('siloUserId', '=', servers.world.ids['admin'] ?? '')
      if (at !== undefined) await own('session').set({ timeLastUsed: at }).execute()
      const rows = await tx
        .selectFrom('session')
        .select('timeLastUsed')
        .where('siloUserId', '=', servers.world.ids['admin'] ?? '')
        .execute()
      return Math.max(...rows.map((row) => row.timeLastUsed))
    })

  it('is kept alive by typing, and not by an open console alone', async () => {
    const { closed, ws } = await connect(path('web'))
    const longAgo = () => servers.world.clock.now() - 479 * minute
    await lastUsed(longAgo())
    ws.send(Buffer.from('x'))
    const isRenewed = async () => {
      await servers.world.advance(500)
      return (await lastUsed()) > servers.world.clock.now() - minute
    }
    await expect.poll(isRenewed).toBe(true)
    await lastUsed(longAgo())
    await servers.world.advance(30_000)
    expect(ws.readyState).toBe(WebSocket.OPEN)
    await servers.world.advance(31_000)
    expect(await closed).toMatchObject({ code: 1008 })
  })
})
