import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { pingsDuring } from '../testing/pinger.ts'
import { startPostgres } from '../testing/postgres.ts'
import { serve } from '../testing/process.ts'
import { serveKnown } from '../testing/prepared.ts'
import { signIn } from '../testing/requests.ts'
import { worst } from '../testing/worst.ts'

type Server = Pick<Awaited<ReturnType<typeof serveKnown>>, 'url' | 'pid' | 'cookie' | 'api'>

const args = ['--log-level', 'error']

async function onPostgres(): Promise<Server> {
  const postgres = await startPostgres()
  afterAll(() => postgres.stop())
  const server = await serve({ databaseUrl: postgres.url, args })
  return { ...server, ...(await signIn(server.url)) }
}

const engines: [string, () => Promise<Server>][] = [
  ['SQLite', () => serveKnown({ args, realPasswords: true })],
  ['PostgreSQL', onPostgres],
]

// Longer than in `ping.test.ts`, which only expects that every ping is answered.
describe.each(engines)('pings of a server on %s are answered within 100 ms (p99) during', (_, start) => {
  let server: Server
  beforeAll(async () => (server = await start()))
  afterAll(killAll)

  it.each(Object.entries(worst))('%s', async (_name, prepare) => {
    const attack = await prepare(server)
    const { failed, p99 } = await pingsDuring(server, () => attack(10_000))
    expect(failed).toBe(0)
    expect(p99).toBeLessThan(100)
  })
})

it('a frozen server is noticed', async () => {
  const server = await serveKnown({ args, realPasswords: true })
  const { failed, p99 } = await pingsDuring(server, async () => {
    server.signal('SIGSTOP')
    await wait(1500)
    server.signal('SIGCONT')
  })
  expect(failed).toBe(0)
  expect(p99).toBeGreaterThan(300)
  killAll()
})
