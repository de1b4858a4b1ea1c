import { systemCodeOf } from '@purlin/databases/error-codes'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { keepsWithin } from '../testing/bounds.ts'
import { killAll } from '../testing/children.ts'
import { differences, makeLoadProject, startDiskLoad, type DiskLoad } from '../testing/disk-load.ts'
import { errorsOf } from '../testing/faults/site.ts'
import { sessionsOf, signalAll } from '../testing/postgres-processes.ts'
import { whyNoPostgres, startPostgres, type Postgres } from '../testing/postgres.ts'
import { serve, type ServerProcess } from '../testing/process.ts'
import { ask } from '../testing/requests.ts'

// Sessions of the server: a pool of ten, and three more. Four are left for those who look.
const connections = 17

describe.skipIf(lacks(whyNoPostgres()))('while the database fails', () => {
  let database: Postgres
  let server: ServerProcess
  let load: DiskLoad
  let cookie: string
  let seen: number

  beforeAll(async () => {
    database = await startPostgres({ durable: true, connections })
    server = await serve({ databaseUrl: database.url })
    ;({ cookie } = await makeLoadProject(server.url))
  })
  afterAll(async () => {
    killAll()
    await database.stop()
  })
  beforeEach(() => {
    seen = server.lines().length
  })
  afterEach(() => expect(errorsOf({ lines: () => server.lines().slice(seen) })).toEqual([]))

  /** Lines of the log since the beginning of this test. */
  const said = (text: string) =>
    server
      .lines()
      .slice(seen)
      .filter((line) => line.includes(text))
  let round = 0
  const begin = async (writers?: number) => {
    load = startDiskLoad(server.url, { cookie, prefix: `round${++round}`, writers })
    await load.nextSuccess()
  }
  const read = () => ask(server.url, '/v1/projects', { headers: { cookie } })
  const expectRefused = async () => {
    const answer = async () => {
      const { status, headers } = await read()
      return [status, headers['retry-after']]
    }
    await expect.poll(answer).toEqual([503, '1'])
  }
  const accounts: Awaited<ReturnType<DiskLoad['stop']>>[] = []
  const end = async () => {
    const account = await load.stop()
    accounts.push(account)
    expect(await differences(database.url, accounts)).toEqual([])
    return account
  }

  it('servers survive restarts under load: 503 during them, service within a second of the return, no losses', async () => {
    await begin()
    let restarts = 0
    const restart = async () => {
      restarts++
      process.kill(database.pid(), 'SIGINT')
      await expectRefused()
      expect((await ask(server.url, '/v1/ping')).status).toBe(200)
      await database.startAgain()
      return load.nextSuccess()
    }
    for (let i = 0; i < 2; i++) await keepsWithin(1_000, restart)
    const account = await end()
    expect(account.refused.size).toBeGreaterThan(0)
    // One line for the beginning of each outage and one for its end, for any number of requests.
    expect(said('the database is away')).toHaveLength(restarts)
    await expect.poll(() => said('the database is back')).toHaveLength(restarts)
  })

  it('crashes are outlived under load: of one session, and of the whole database', async () => {
    await begin()
    for (let i = 0; i < 3; i++) {
      const victim = sessionsOf(database.pid()).at(i)
      if (victim) endSession(victim.pid, 'SIGKILL')
      await load.nextSuccess()
    }
    await keepsWithin(1_000, async () => {
      process.kill(database.pid(), 'SIGKILL')
      await database.startAgain()
      return load.nextSuccess()
    })
    await end()
  })

  it('sessions that are ended one by one under load are replaced', async () => {
    await begin()
    for (let i = 0; i < 30; i++) {
      const all = sessionsOf(database.pid())
      const victim = all[i % all.length]
      if (victim) endSession(victim.pid)
      await load.nextSuccess()
    }
    // How many are refused until a session is replaced depends on the machine; once all are, none is.
    const refusedInTwenty = async () => {
      const before = load.account.refused.size
      for (let i = 0; i < 20; i++) await load.nextSuccess()
      return load.account.refused.size - before
    }
    await expect.poll(refusedInTwenty).toBe(0)
    await end()
  })

  it('a frozen database is noticed and refused, and the server works within a second once it continues', async () => {
    await begin()
    await keepsWithin(1_000, async () => {
      signalAll(database.pid(), 'SIGSTOP')
      await expectRefused()
      const began = performance.now()
      await expectRefused()
      const refusedAfter = performance.now() - began
      signalAll(database.pid(), 'SIGCONT')
      return Math.max(refusedAfter, await load.nextSuccess())
    })
    await end()
  })

  it('a full connection table is answered 503 until there is room', async () => {
    await begin(2)
    const hogs: Socket[] = []
    const isFull = () => sessionsOf(database.pid()).length >= connections
    // Takes every connection that the server releases.
    const hogging = setInterval(() => {
      if (!isFull()) hogs.push(openSession(database.url))
    }, 2)
    await expect.poll(isFull).toBe(true)
    for (const { pid } of sessionsOf(database.pid())) endSession(pid)
    await expect.poll(isFull).toBe(true)
    const answers = await Promise.all(Array.from({ length: 30 }, read))
    for (const { status, headers } of answers)
      if (status !== 200) expect([status, headers['retry-after']]).toEqual([503, '1'])
    clearInterval(hogging)
    for (const hog of hogs) hog.destroy()
    await load.nextSuccess()
    await end()
  })
})

/** Ends a session, unless it has ended already. */
function endSession(pid: number, signal: NodeJS.Signals = 'SIGTERM'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (systemCodeOf(error) !== 'ESRCH') throw error
  }
}

/** An idle session, opened with the protocol's first message. */
function openSession(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const text = Buffer.from('user\0postgres\0database\0postgres\0\0')
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + text.length, 0)
  head.writeInt32BE(3 << 16, 4)
  socket.write(Buffer.concat([head, text]))
  return socket
}
