import { setTimeout as wait } from 'node:timers/promises'
import { GiB } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { keepsWithin } from '../testing/bounds.ts'
import { killAll, newFolder } from '../testing/children.ts'
import {
  differences,
  makeLoadProject,
  startDiskLoad,
  type Account,
  type DiskLoad,
} from '../testing/disk-load.ts'
import { sessionsOf } from '../testing/postgres-processes.ts'
import { whyNoPostgres, startPostgres, type Postgres } from '../testing/postgres.ts'
import { admin, serve, type HowToServe, type ServerProcess } from '../testing/process.ts'
import { ask, clientOf, openSocket, signIn } from '../testing/requests.ts'

describe.skipIf(lacks(whyNoPostgres()))('servers on one PostgreSQL', () => {
  let database: Postgres
  let first: ServerProcess
  let others: ServerProcess[]
  let cookie: string
  beforeAll(async () => {
    database = await startPostgres({ durable: true })
  })
  afterAll(async () => {
    killAll()
    await database.stop()
  })

  // One folder for all: the bytes of disks belong to the database.
  const folder = newFolder().path
  const start = (how: HowToServe = {}) => serve({ databaseUrl: database.url, folder, ...how })
  const project = { project: 'load' }
  const accounts: Account[] = []
  const end = async (loads: readonly DiskLoad[]) => {
    for (const load of loads) accounts.push(await load.stop())
    expect(await differences(database.url, accounts)).toEqual([])
  }

  it('all that start together on an empty database answer, and one has created the administrator', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => start()))
    const [one, ...rest] = all
    if (!one) throw new Error('none has started')
    first = one
    others = rest.slice(0, 4)
    expect(all.filter((one) => one.said().includes('This is the first start'))).toHaveLength(1)
    ;({ cookie } = await makeLoadProject(one.url))
    for (const one of all) {
      expect((await ask(one.url, '/v1/me', { headers: { cookie } })).status).toBe(200)
      // A loop with too many conflicts tries again later.
      const failed = one
        .lines()
        .filter((line) => line.includes('"level":"error"') && !line.includes('"loop":'))
      expect(failed.length, failed.join('\n')).toBe(0)
    }
    await Promise.all(rest.slice(4).map((one) => one.stop()))
  })

  it('one of them drives the hosts, and only it reaches hosts that are inside of servers', async () => {
    const { url } = another()
    const api = clientOf(url, cookie)
    await api.instanceCreate({ query: project, body: newInstance('web') })
    await expect.poll(async () => (await instances(url)).map(({ runState }) => runState)).toEqual(['running'])
    const answers = await Promise.all([first, ...others].map(consoleOf))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(answers.length - 1)
    for (const { status, text } of refused)
      expect([status, text]).toEqual([503, expect.stringContaining('the hardware is with another server')])
  })

  it('a stream on another server reports changes within a second, a lost role last, and ends with its session', async () => {
    const { url } = another()
    const viewer = await newViewer('watcher')
    const address = '/v1/disks?project=load'
    const stream = openSocket(url)
    stream.socket.write(
      `GET /v1/events?scope=${encodeURIComponent(address)} HTTP/1.1\r\nhost: a\r\ncookie: ${viewer.cookie}\r\n\r\n`,
    )
    const notifications = () => stream.said().split(`data: {"scope":"${address}"`).length - 1
    await expect.poll(stream.said).toContain('event: watching')
    const api = clientOf(first.url, cookie)
    let made = 0
    const makeDisk = () =>
      api.diskCreate({
        query: project,
        body: {
          name: `seen${++made}`,
          description: '',
          size: GiB,
          diskSource: { type: 'blank', blockSize: 4096 },
        },
      })
    const timeUntil = async (isSo: () => boolean) => {
      const began = performance.now()
      await expect.poll(isSo, { interval: 10 }).toBe(true)
      return performance.now() - began
    }
    /** From the answer to a change on the first server until the other one reports it. */
    const notifiedAfter = async (change: () => Promise<unknown>) => {
      await wait(500)
      const before = notifications()
      await change()
      return timeUntil(() => notifications() > before)
    }
    await keepsWithin(1000, () => notifiedAfter(makeDisk))
    await keepsWithin(1000, async () => {
      await viewer.assign(true)
      return notifiedAfter(() => viewer.assign(false))
    })
    const before = notifications()
    await makeDisk()
    await wait(1500)
    expect(notifications()).toBe(before)
    expect((await ask(url, address, { headers: { cookie: viewer.cookie } })).status).toBe(404)

    await ask(first.url, '/v1/logout', { method: 'POST', headers: { cookie: viewer.cookie } })
    await timeUntil(() => stream.said().endsWith('\r\n0\r\n\r\n'))
    stream.socket.destroy()
    for (let i = 1; i <= made; i++) await api.diskDelete({ params: { disk: `seen${i}` }, query: project })
  })

  it('one that freezes in a transaction delays others by two seconds at most, and continues unharmed', async () => {
    const frozen = another()
    let tried = 0
    const freeze = async () => {
      const its = load(frozen, `frozen${++tried}`, 8)
      const groups = makeGroups(frozen, `frozen${tried}`)
      await its.nextSuccess()
      await freezeInTransaction(frozen, database)
      const other = load(first, `with-frozen${tried}`)
      await expect.poll(() => other.account.acknowledged.size).toBeGreaterThan(10)
      frozen.signal('SIGCONT')
      await its.nextSuccess()
      await groups.stop()
      const { slowest } = other.account
      await end([its, other])
      return slowest
    }
    // Half a second for the requests themselves.
    await keepsWithin(2_500, freeze)
  })

  it('servers that are killed under load lose no acknowledged write', async () => {
    for (const [i, victim] of others.splice(0, 2).entries()) {
      const its = load(victim, `victim${i}`)
      const other = load(first, `with-killed${i}`, 2)
      for (const load of [its, other]) await load.nextSuccess()
      victim.signal('SIGKILL')
      await victim.ended
      await other.nextSuccess()
      await end([its, other])
    }
  })

  it('another one takes over the hosts of one that is killed or frozen within five seconds', async () => {
    let tried = 0
    const fail = async (signal: 'SIGKILL' | 'SIGSTOP') => {
      tried++
      others.push(await start())
      const victim = await holder()
      first = victim === first ? another() : first
      others = others.filter((one) => one !== victim && one !== first)
      const api = clientOf(first.url, cookie)
      const make = (name: string) => api.instanceCreate({ query: project, body: newInstance(name) })
      // Of these, some are claimed when it fails.
      await Promise.all(Array.from({ length: 6 }, (_, i) => make(`i${i}-of-${tried}`)))
      victim.signal(signal)
      const began = performance.now()
      await make(`late-of-${tried}`)
      const areRunning = async () =>
        (await instances(first.url))
          .filter(({ name }) => name.endsWith(`-of-${tried}`))
          .every(({ runState }) => runState === 'running')
      await expect.poll(areRunning, { timeout: 60_000 }).toBe(true)
      const took = performance.now() - began
      latest = `late-of-${tried}`
      victim.signal('SIGCONT')
      return { took, victim }
    }
    // A simulated machine takes four seconds more until it runs.
    await keepsWithin(5_000 + 4_000, async () => (await fail('SIGKILL')).took)
    const { victim } = await fail('SIGSTOP')
    await expect.poll(async () => (await consoleOf(victim)).status).toBe(503)
  })

  /** Signs in a new user, who is a viewer of the project while assigned. */
  async function newViewer(externalId: string) {
    const api = clientOf(first.url, cookie)
    const password = 'a-watched-plank-of-load'
    const { id } = await api.localIdpUserCreate({
      query: { silo: admin.silo },
      body: { externalId, password: { mode: 'password', value: password } },
    })
    const role = { identityType: 'silo_user', identityId: id, roleName: 'viewer' } as const
    const assign = (isViewer: boolean) =>
      api.projectPolicyUpdate({ params: project, body: { roleAssignments: isViewer ? [role] : [] } })
    await assign(true)
    return { ...(await signIn(first.url, { silo: admin.silo, user: externalId, password })), assign }
  }

  /** Has a server write to one project without turns, so that its transactions wait for each other. */
  function makeGroups(server: ServerProcess, prefix: string): { stop: () => Promise<unknown> } {
    const api = clientOf(server.url, cookie)
    let isStopped = false
    const writer = async (id: number) => {
      for (let i = 0; !isStopped; i++) {
        const body = {
          name: `${prefix}-${id}-${i}`,
          description: '',
          policy: 'allow',
          failureDomain: 'sled',
        } as const
        await api.antiAffinityGroupCreate({ query: project, body }).catch(() => wait(20))
      }
    }
    const all = Array.from({ length: 4 }, (_, id) => writer(id))
    return {
      stop: () => {
        isStopped = true
        return Promise.all(all)
      },
    }
  }

  /** An instance that runs. */
  let latest = 'web'
  const consoleOf = ({ url }: ServerProcess) =>
    ask(url, `/v1/instances/${latest}/serial-console?project=load&most_recent=10`, { headers: { cookie } })

  /** The server that drives the hosts. */
  async function holder(): Promise<ServerProcess> {
    for (;;) for (const one of [first, ...others]) if ((await consoleOf(one)).status === 200) return one
  }

  function another(): ServerProcess {
    const [one] = others
    if (!one) throw new Error('none is left')
    return one
  }
  const load = ({ url }: ServerProcess, prefix: string, writers?: number) =>
    startDiskLoad(url, { cookie, prefix, writers })
  const newInstance = (name: string) => ({
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    networkInterfaces: { type: 'none' as const },
  })
  const instances = async (url: string) =>
    (await clientOf(url, cookie).instanceList({ query: { ...project, limit: 100 } })).items
})

/** Stops a server under load while one of its transactions has a lock that another one waits for. */
async function freezeInTransaction(server: ServerProcess, database: Postgres): Promise<void> {
  for (;;) {
    server.signal('SIGSTOP')
    await wait(100)
    const doing = sessionsOf(database.pid()).map((session) => session.doing)
    if (doing.includes('idle in transaction') && doing.some((what) => what.endsWith('waiting'))) return
    server.signal('SIGCONT')
    await wait(30)
  }
}
