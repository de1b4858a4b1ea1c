import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { killAll, newFolder } from '../testing/children.ts'
import { whyNoPostgres, psql, startPostgres, type Postgres } from '../testing/postgres.ts'
import { serve, type ServerProcess } from '../testing/process.ts'
import { ask } from '../testing/requests.ts'

describe.skipIf(lacks(whyNoPostgres()))('the session with which a server monitors its database', () => {
  let database: Postgres
  let server: ServerProcess
  const folder = newFolder().path
  beforeAll(async () => {
    database = await startPostgres()
    server = await serve({ databaseUrl: database.url, folder })
  })
  afterAll(async () => {
    killAll()
    await database.stop()
  })

  /** The process of the database that has it: only it shares a lock. */
  const monitor = async () =>
    Number(
      (await psql(database.url, `select pid from pg_locks where locktype = 'advisory' and granted`)).at(0),
    )

  it('ends no server, and keeps none from its work or its start, if the database does not end it', async () => {
    const pid = await monitor()
    process.kill(pid, 'SIGSTOP')
    try {
      await expect.poll(async () => (await psql(database.url, countOfMonitors)).at(0)).toBe('2')
      const answer = await ask(server.url, '/v1/projects', { headers: { cookie: 'session=none' } })
      expect(answer.status).toBe(401)
      server.signal('SIGKILL')
      await server.ended
      const next = await serve({ databaseUrl: database.url, folder })
      await next.stop()
    } finally {
      process.kill(pid, 'SIGCONT')
    }
  })
})

const countOfMonitors = `select count(distinct pid) from pg_locks where locktype = 'advisory' and granted`
