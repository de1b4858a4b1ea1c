import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { keepsWithin } from '../testing/bounds.ts'
import { killAll, newFolder } from '../testing/children.ts'
import { addSession, inDatabase, type Known } from '../testing/prepared.ts'
import { admin, runProgram, serve, type ServerProcess } from '../testing/process.ts'
import { ask, clientOf, trySignIn, type Answer } from '../testing/requests.ts'
import { startSignInFlood } from '../testing/sign-in-flood.ts'

const folder = newFolder().path
const emptyGroup = randomUUID()
const people = {
  'hanna-okafor': 'engineering',
  'omar-haddad': 'engineering',
  'piotr-nowak': 'engineering',
  'sofia-reyes': 'engineering',
  'lena-vogt': 'research',
  'uma-krishnan': 'engineering',
  'tariq-aziz': 'engineering',
}
// Three of each: what ends one is tried again.
const cookies = new Map<string, string[]>()
let server: ServerProcess
beforeAll(async () => {
  const first = await serve({ folder, args: ['--demo'] })
  await first.stop()
  inDatabase(folder, (db) => {
    const research = db.prepare(`select id from silo where name = 'research'`).get()?.['id'] ?? ''
    db.prepare(
      `insert into "siloGroup" (id, "siloId", "displayName", "timeCreated", "timeModified") values (?, ?, 'empty', 0, 0)`,
    ).run(emptyGroup, research)
    const mapping = JSON.stringify({ admin: ['admin'] })
    db.prepare(`update silo set "mappedFleetRolesJson" = ? where name = 'engineering'`).run(mapping)
  })
  for (const [user, silo] of Object.entries(people))
    cookies.set(
      user,
      Array.from({ length: 3 }, () => addSession(folder, { silo, user })),
    )
  server = await serve({ folder })
})
afterAll(killAll)

const password = 'drafting-table'
function person(user: keyof typeof people, session = 0): Known {
  const cookie = cookies.get(user)?.[session] ?? ''
  return { cookie, api: clientOf(server.url, cookie) }
}
const tryPassword = (user: string, secret: string, how: { from?: string; cookie?: string } = {}) =>
  trySignIn(server.url, { silo: 'engineering', user, password: secret }, how)
const cookiesOf = ({ headers }: Answer) => (headers['set-cookie'] ?? []).map((one) => one.split(';')[0] ?? '')

describe('an open serial console', () => {
  const path = '/v1/instances/collector-01/serial-console/stream?project=telemetry'
  const open = async (cookie: string) => {
    const ws = new WebSocket(server.url.replace('http', 'ws') + path, { headers: { cookie } })
    await once(ws, 'open')
    // One that breaks has been closed, too.
    ws.on('error', () => undefined)
    return ws
  }
  /** Milliseconds from the answer to a change until the socket is closed. */
  const closedAfter = async (ws: WebSocket, change: () => Promise<unknown>) => {
    const closed = new Promise<number>((resolve) => ws.once('close', () => resolve(performance.now())))
    await change()
    const changed = performance.now()
    return (await closed) - changed
  }
  beforeAll(async () => {
    // Its machine ended with the previous server, so it is started again.
    const { api, cookie } = person('hanna-okafor')
    const at = { params: { instance: 'collector-01' }, query: { project: 'telemetry' } }
    const recent = '/v1/instances/collector-01/serial-console?project=telemetry&most_recent=10'
    const hasMachine = async () => {
      const { status, text } = await ask(server.url, recent, { headers: { cookie } })
      return status === 200 && (JSON.parse(text) as { data: number[] }).data.length > 0
    }
    const isRunning = async () => (await hasMachine()) && (await api.instanceView(at)).runState === 'running'
    await vi.waitFor(async () => expect(await isRunning()).toBe(true), { timeout: 60_000, interval: 100 })
  })

  it('is closed within a second of signing out', async () => {
    let session = 0
    await keepsWithin(1000, async () => {
      const { api, cookie } = person('omar-haddad', session++)
      return closedAfter(await open(cookie), () => api.logout())
    })
  })

  it('is closed within a second of losing the role', async () => {
    const { api: owner } = person('hanna-okafor')
    const { cookie } = person('piotr-nowak')
    const params = { project: 'telemetry' }
    const { roleAssignments } = await owner.projectPolicyView({ params })
    const viewers = roleAssignments.map((one) => ({ ...one, roleName: 'viewer' as const }))
    await keepsWithin(1000, async () => {
      const change = () => owner.projectPolicyUpdate({ params, body: { roleAssignments: viewers } })
      const ms = await closedAfter(await open(cookie), change)
      await owner.projectPolicyUpdate({ params, body: { roleAssignments } })
      return ms
    })
  })

  it('is one of at most twenty of its user', async () => {
    const { cookie } = person('hanna-okafor')
    const all = []
    for (let i = 0; i < 20; i++) all.push(await open(cookie))
    await expect(open(cookie)).rejects.toThrow('429')
    for (const ws of all) ws.terminate()
  })
})

it('strangers who guess passwords lock neither the owner out nor a browser at their own address that is known', async () => {
  const known = cookiesOf(await tryPassword('mei-tanaka', password, { from: '127.0.0.21' }))
  const statuses: number[] = []
  // The sixth failure is followed by two seconds without any attempt, the next ones by ever more.
  while (statuses.length < 12 && !statuses.includes(429))
    statuses.push((await tryPassword('mei-tanaka', 'guess', { from: '127.0.0.22' })).status)
  expect(statuses.slice(0, 6)).toEqual([401, 401, 401, 401, 401, 401])
  expect(statuses).toContain(429)
  expect((await tryPassword('mei-tanaka', password, { from: '127.0.0.23' })).status).toBe(204)
  const cookie = known.join('; ')
  expect((await tryPassword('mei-tanaka', password, { from: '127.0.0.22', cookie })).status).toBe(204)
})

it('the log names address, user and account, and no secret', async () => {
  const wrong = 'correct-horse-battery'
  const from = '127.0.0.31'
  await tryPassword('rosa-lima', wrong, { from })
  const cookies = cookiesOf(await tryPassword('rosa-lima', password, { from }))
  const { text } = await ask(server.url, '/v1/me', { headers: { cookie: cookies.join('; ') }, from })
  const { id: userId, silo_id: siloId } = JSON.parse(text) as Record<string, string>
  const lines = () =>
    server
      .lines()
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ remote }) => remote === from)
  await expect.poll(() => lines().length).toBe(3)
  const account = 'engineering/rosa-lima'
  expect(lines()).toMatchObject([
    { status: 401, account },
    { status: 204, account, userId },
    { path: '/v1/me', status: 200, userId, siloId },
  ])
  const log = server.lines().join('\n')
  const secrets = [wrong, password, admin.password, ...cookies.map((one) => one.split('=')[1] ?? '')]
  expect(secrets.filter((secret) => secret === '' || log.includes(secret))).toEqual([])
})

it('a user without roles sees the past provisioning of the silo', async () => {
  const { api } = person('sofia-reyes')
  const query = { startTime: new Date(0), endTime: new Date(), limit: 1 }
  const { items } = await api.siloMetric({ params: { metricName: 'cpus_provisioned' }, query })
  expect(items).toHaveLength(1)
})

it('a silo keeps an admin who can sign in: a group without members is none', async () => {
  const { api } = person('lena-vogt')
  const roleAssignments = [{ identityType: 'silo_group', identityId: emptyGroup, roleName: 'admin' } as const]
  await expect(api.policyUpdate({ body: { roleAssignments } })).rejects.toMatchObject({ status: 400 })
})

it('a fleet collaborator does not become fleet admin by the policy of a silo', async () => {
  const { api } = person('uma-krishnan')
  const [{ id: identityId }, { roleAssignments }] = [
    await api.currentUserView({ query: {} }),
    await api.policyView(),
  ]
  const mine = { identityType: 'silo_user', identityId, roleName: 'admin' } as const
  const update = api.policyUpdate({ body: { roleAssignments: [...roleAssignments, mine] } })
  await expect(update).rejects.toMatchObject({ status: 403 })
})

it('signing in again ends the session that the browser had', async () => {
  const [before = ''] = cookiesOf(await tryPassword('victor-hale', password))
  expect((await tryPassword('victor-hale', password, { cookie: before })).status).toBe(204)
  expect((await ask(server.url, '/v1/me', { headers: { cookie: before } })).status).toBe(401)
})

it('with one minute of idle time allowed, the use of a session is stored long before', async () => {
  const { cookie } = person('tariq-aziz')
  await server.stop()
  const ages = () =>
    inDatabase(folder, (db) =>
      db
        .prepare('select "timeLastUsed" as at from session')
        .all()
        .map((row) => Date.now() - Number(row['at'])),
    )
  inDatabase(folder, (db) => db.prepare('update session set "timeLastUsed" = ?').run(Date.now() - 30_000))
  server = await serve({ folder, args: ['--session-idle-minutes', '1'] })
  expect((await ask(server.url, '/v1/me', { headers: { cookie } })).status).toBe(200)
  await server.stop()
  expect(Math.min(...ages())).toBeLessThan(25_000)
  server = await serve({ folder, realPasswords: true })
})

it('an administrator’s password of one character is refused at the start', async () => {
  const program = runProgram({ env: { PURLIN_ADMIN_PASSWORD: 'a' } })
  expect(await program.ended).toBe(2)
  expect(program.lines()[0]).toBe('purlin: PURLIN_ADMIN_PASSWORD: must have at least 12 characters')
})

// The last one, because the server is busy with it for a while.
it('a flood of sign-ins takes at most 600 MB, and is refused beyond the queue', async () => {
  const flood = startSignInFlood(server.url, 'engineering')
  // One that was refused came when all that may wait were waiting, and those have been answered since.
  await expect.poll(() => flood.statuses).toContain(503)
  await expect.poll(() => flood.statuses).toContain(401)
  expect((await ask(server.url, '/v1/ping')).status).toBe(200)
  flood.stop()
  expect(server.memory()?.peak ?? 0).toBeLessThan(600e6)
})
