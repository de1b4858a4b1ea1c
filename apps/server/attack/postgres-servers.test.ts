import { setTimeout as wait } from 'node:timers/promises'
import { GiB } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killAll, newFolder } from '../testing/children.ts'
import {
  differences,
  makeLoadProject,
  startDiskLoad,
  type Account,
  type DiskLoad,
} from '../testing/disk-load.ts'
import { sessionsOf } from '../testing/postgres-processes.ts'
import { findPostgres, startPostgres, type Postgres } from '../testing/postgres.ts'
import { runProgram, serve, type HowToServe, type ServerProcess } from '../testing/process.ts'
import { ask, signIn } from '../testing/requests.ts'

describe.skipIf(!findPostgres())('servers on one PostgreSQL', () => {
  let database: Postgres
  /** The one with the rack, and those without. */
  let first: ServerProcess
  let others: ServerProcess[]
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

  it('all that start at once on an empty database answer, and one has made the administrator', async () => {
    const all = await Promise.all([
      start(),
      ...Array.from({ length: 4 }, () => start({ args: ['--api-only'] })),
    ])
    expect(all.filter((one) => one.said().includes('This is the first start'))).toHaveLength(1)
    for (const { url } of all) await signIn(url)
    for (const one of all) expect(one.lines().filter((line) => line.includes('"level":"error"'))).toEqual([])
    const [rack, ...rest] = all
    first = rack
    others = rest
    await makeLoadProject(first.url)
  })

  it('a second rack is refused with the reason', async () => {
    const second = runProgram({ args: ['--port', '0', '--database-url', database.url] })
    expect(await second.ended).toBe(1)
    expect(second.lines().join('\n')).toMatch(
      /^purlin: Another server runs the instances of this database: purlin \S+ \S+, connected from 127\.0\.0\.1\. Stop it, or start this one with --api-only\.$/,
    )
  })

  it('an instance that is started through one without a rack runs, and its console says where it is', async () => {
    const { url } = another()
    const { api, cookie } = await signIn(url)
    await api.instanceCreate({ query: project, body: newInstance('web') })
    await isRunning(url, 'web')
    const path = `/v1/instances/web/serial-console?project=load&most_recent=10`
    const answer = await ask(url, path, { headers: { cookie } })
    expect([answer.status, answer.text]).toEqual([
      503,
      expect.stringContaining('the server that runs the instances'),
    ])
  })

  it('one that freezes in a transaction delays others by two seconds at most, and goes on unharmed', async () => {
    const frozen = another()
    const its = await startDiskLoad(frozen.url, 'frozen', 8)
    await its.nextSuccess()
    await freezeInTransaction(frozen, database)
    const beside = await startDiskLoad(first.url, 'beside-frozen', 4)
    await wait(4_000)
    // Half a second for the requests themselves: the machine is busy.
    expect(beside.account.slowest).toBeLessThan(2_500)
    expect(beside.account.acknowledged.size).toBeGreaterThan(10)
    frozen.signal('SIGCONT')
    await its.nextSuccess()
    await end([its, beside])
  })

  it('servers that are killed under load lose nothing that they have acknowledged', async () => {
    for (const [i, victim] of others.splice(0, 2).entries()) {
      const its = await startDiskLoad(victim.url, `victim${i}`)
      const beside = await startDiskLoad(first.url, `beside${i}`, 2)
      for (const load of [its, beside]) await load.nextSuccess()
      await wait(200)
      victim.signal('SIGKILL')
      await victim.ended
      await beside.nextSuccess()
      await end([its, beside])
    }
  })

  function another(): ServerProcess {
    const [one] = others
    if (!one) throw new Error('none is left')
    return one
  }
  const newInstance = (name: string) => ({
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    networkInterfaces: { type: 'none' as const },
  })

  async function isRunning(url: string, instance: string): Promise<void> {
    const { api } = await signIn(url)
    const state = async () => (await api.instanceView({ params: { instance }, query: project })).runState
    await expect.poll(state, { timeout: 15_000, interval: 50 }).toBe('running')
  }
})

/** Stops a server under load at a moment when one of its transactions holds a lock that another one waits for. */
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
