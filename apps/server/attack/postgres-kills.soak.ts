import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { killAll, newFolder } from '../testing/children.ts'
import { differences, makeLoadProject, startDiskLoad, type Account } from '../testing/disk-load.ts'
import { sessionsOf, signalAll } from '../testing/postgres-processes.ts'
import { startPostgres, type Postgres } from '../testing/postgres.ts'
import { serve, type ServerProcess } from '../testing/process.ts'

const rounds = 100
let database: Postgres | undefined
afterAll(async () => {
  killAll()
  if (!database) return
  signalAll(database.pid(), 'SIGCONT')
  await database.stop()
})

it('after a hundred kills and freezes of sessions, database and servers no acknowledged write is lost', async () => {
  database = await startPostgres({ durable: true })
  const { url, pid } = database
  // The bytes of disks are in one folder.
  const { path: folder } = newFolder()
  const first = await serve({ databaseUrl: url, folder })
  const { cookie } = await makeLoadProject(first.url)
  let other = await serve({ databaseUrl: url, folder })
  const postgres = database

  const killSession = (signal: NodeJS.Signals) => (n: number) => {
    const all = sessionsOf(pid())
    const victim = all[n % all.length]
    if (victim) process.kill(victim.pid, signal)
  }
  const killDatabase = (signal: NodeJS.Signals) => async () => {
    process.kill(pid(), signal)
    await postgres.startAgain()
  }
  const freeze = (server: () => ServerProcess) => async () => {
    server().signal('SIGSTOP')
    await wait(2_500)
    server().signal('SIGCONT')
  }
  const attacks: ((n: number) => unknown)[] = [
    killSession('SIGTERM'),
    killSession('SIGKILL'),
    killDatabase('SIGINT'),
    killDatabase('SIGQUIT'),
    killDatabase('SIGKILL'),
    freeze(() => first),
    freeze(() => other),
    async () => {
      signalAll(pid(), 'SIGSTOP')
      await wait(1_000)
      signalAll(pid(), 'SIGCONT')
    },
    async () => {
      other.signal('SIGKILL')
      await other.ended
      other = await serve({ databaseUrl: url, folder })
    },
  ]

  const accounts: Account[] = []
  for (let round = 0; round < rounds; round++) {
    const loads = [
      startDiskLoad(first.url, { cookie, prefix: `first${round}`, writers: 3 }),
      startDiskLoad(other.url, { cookie, prefix: `other${round}`, writers: 3 }),
    ]
    await wait((round * 37) % 200)
    await attacks[round % attacks.length]?.(round)
    await loads[0]?.nextSuccess()
    for (const load of loads) accounts.push(await load.stop())
    expect(await differences(url, accounts)).toEqual([])
  }
  for (const server of [first, other])
    expect(server.lines().filter((line) => line.includes('"level":"error"'))).toEqual([])
})
