import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { giveDisplay, rfb, type FakeDisplay } from '@purlin/core/testing/consoles/fake-display'
import { startServers, type TestServers } from '../testing/test-servers.ts'

let servers: TestServers
let display: FakeDisplay
beforeAll(async () => {
  servers = await startServers()
  display = giveDisplay(servers.world.sleds)
  await servers.world.as('admin').instanceCreate({
    query: { project: 'demo' },
    body: {
      name: 'web',
      description: '',
      ncpus: 1,
      memory: 2 ** 30,
      hostname: 'web',
      networkInterfaces: { type: 'none' },
      start: true,
    },
  })
  await servers.world.advance(30_000)
})
afterAll(() => servers.close())

async function connect(cookie: string) {
  const ws = new WebSocket(`ws://127.0.0.1:${servers.port}/v1/instances/web/display?project=demo`, {
    headers: { cookie },
  })
  const got: Buffer[] = []
  ws.on('message', (data) => got.push(data as Buffer))
  const closed = once(ws, 'close').then(([code, reason]) => `${String(code)} ${String(reason)}`)
  closed.catch(() => undefined)
  await once(ws, 'open')
  const send = (...bytes: number[]) => ws.send(Buffer.from(bytes))
  return { ws, got, closed, send }
}
const signedIn = async (who: Parameters<TestServers['signIn']>[0]) => connect(await servers.signIn(who))
const policyParams = { params: { project: 'demo' } }

/** Gives a user another role on the project while `work` is done. */
async function withRole(who: string, roleName: 'viewer' | null, work: () => Promise<void>) {
  const admin = servers.world.as('admin')
  const before = await admin.projectPolicyView(policyParams)
  const changed = before.roleAssignments.flatMap((one) => {
    if (one.identityId !== servers.world.ids[who]) return [one]
    return roleName ? [{ ...one, roleName }] : []
  })
  await admin.projectPolicyUpdate({ ...policyParams, body: { roleAssignments: changed } })
  await servers.world.advance(1000)
  await work()
  await admin.projectPolicyUpdate({ ...policyParams, body: before })
}

describe('a screen over a WebSocket', () => {
  it('begins with its first byte, and takes from viewers what asks for the picture only', async () => {
    const viewer = await signedIn('projectViewer')
    await expect.poll(() => Buffer.concat(viewer.got).toString()).toBe('RFB 003.008\n')
    // An empty message would be the end of a history.
    expect(viewer.got).toHaveLength(1)
    display.got.length = 0
    viewer.send(...rfb.greeting, ...rfb.key)
    viewer.send(...rfb.pointer.slice(0, 3))
    viewer.send(...rfb.pointer.slice(3), ...rfb.cutText, ...rfb.picture)
    const all = [...rfb.greeting, ...rfb.picture]
    await expect.poll(() => display.got).toEqual(all)
    viewer.ws.close()
  })

  it('ends for a client that speaks no RFB', async () => {
    const { send, closed } = await signedIn('admin')
    send(...Buffer.from('GET / HTTP/1.1\r\n'))
    expect(await closed).toBe('1001 the client does not speak RFB 3.8')
  })

  it('holds the machine back while its client does not read', async () => {
    const { ws } = await signedIn('admin')
    display.log.length = 0
    ws.pause()
    const piece = new Uint8Array(256 * 1024)
    const fill = () => {
      if (!display.log.includes('pause')) display.clients.at(-1)?.data(piece)
      return display.log.at(-1)
    }
    await expect.poll(fill).toBe('pause')
    ws.resume()
    await expect.poll(() => display.log.at(-1)).toBe('resume')
    expect(ws.readyState).toBe(WebSocket.OPEN)
    ws.close()
  })

  it('ends within a second of losing the right to control it; watching goes on until that is lost', async () => {
    const controlling = await signedIn('projectCollaborator')
    const watching = await signedIn('projectViewer')
    await withRole('projectCollaborator', 'viewer', async () => {
      expect(await controlling.closed).toBe('1008 you may no longer control this screen')
      expect(watching.ws.readyState).toBe(WebSocket.OPEN)
    })
    await withRole('projectViewer', null, async () => {
      expect(await watching.closed).toBe('1008 you may no longer watch this screen')
    })
  })

  it('ends with the session', async () => {
    const cookie = await servers.signIn('collaborator')
    const { closed } = await connect(cookie)
    await servers.ask('/v1/logout', { method: 'POST', headers: { cookie } })
    await servers.world.advance(1000)
    expect(await closed).toBe('1008 the session has ended')
  })

  it('a user has at most ten open', async () => {
    const cookie = await servers.signIn('collaborator')
    const all = await Promise.all(Array.from({ length: 10 }, () => connect(cookie)))
    const ws = new WebSocket(`ws://127.0.0.1:${servers.port}/v1/instances/web/display?project=demo`, {
      headers: { cookie },
    })
    ws.on('error', () => undefined)
    const [, response] = (await once(ws, 'unexpected-response')) as [unknown, { statusCode: number }]
    expect(response.statusCode).toBe(429)
    for (const one of all) one.ws.close()
  })
})

describe('a session', () => {
  const minute = 60_000
  const lastUsed = async (at?: number) =>
    servers.world.world.engine.transaction('write', async (tx) => {
      const user = servers.world.ids['admin'] ?? ''
      if (at !== undefined)
        await tx.updateTable('session').set({ timeLastUsed: at }).where('siloUserId', '=', user).execute()
      const rows = await tx
        .selectFrom('session')
        .select('timeLastUsed')
        .where('siloUserId', '=', user)
        .execute()
      return Math.max(...rows.map((row) => row.timeLastUsed))
    })
  const isRenewed = async () => {
    await servers.world.advance(500)
    return (await lastUsed()) > servers.world.clock.now() - minute
  }

  it('is kept alive by keys, and not by a picture that is asked for again and again', async () => {
    const { ws, send } = await signedIn('admin')
    await lastUsed(servers.world.clock.now() - 10 * minute)
    send(...rfb.greeting, ...rfb.picture)
    await expect.poll(() => display.got.length).toBeGreaterThan(0)
    for (let i = 0; i < 5; i++) expect(await isRenewed()).toBe(false)
    send(...rfb.key)
    await expect.poll(isRenewed).toBe(true)
    ws.close()
  })
})
