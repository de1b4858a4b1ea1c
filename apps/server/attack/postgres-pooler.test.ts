import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { killAll, newFolder } from '../testing/children.ts'
import { findPgbouncer, startPgbouncer } from '../testing/pgbouncer.ts'
import { whyNoPostgres, startPostgres, type Postgres } from '../testing/postgres.ts'
import { admin, runProgram, serve } from '../testing/process.ts'
import { trySignIn } from '../testing/requests.ts'

describe.skipIf(lacks(whyNoPostgres() || (!findPgbouncer() && 'install pgbouncer')))(
  'behind a pooler',
  () => {
    let database: Postgres
    const stops: (() => void)[] = []
    const pooler = async (mode: 'session' | 'transaction') => {
      const { url, stop } = await startPgbouncer(database.url, mode)
      stops.push(stop)
      return url
    }
    beforeAll(async () => {
      database = await startPostgres()
    })
    afterAll(async () => {
      killAll()
      for (const stop of stops) stop()
      await database.stop()
    })

    it('of sessions, a server works, and says how many connections it needs', async () => {
      const server = await serve({ databaseUrl: await pooler('session') })
      expect((await trySignIn(server.url, admin)).status).toBe(204)
      const log = server.lines().filter((line) => line.includes('connections to the database'))
      expect(log).toHaveLength(1)
      expect(log[0]).toMatch(/"needed":14/)
      expect(log[0]).toMatch(/"accepted":100/)
      await server.stop()
    })

    it('of transactions, a server does not start and says why', async () => {
      const url = await pooler('transaction')
      const { ended, lines, said } = runProgram({
        args: ['--port', '0', '--data-dir', newFolder().path, '--database-url', url],
        env: { PURLIN_ADMIN_PASSWORD: admin.password },
      })
      expect(await ended).toBe(1)
      expect([...lines(), said()].join('\n')).toContain('transaction pooling')
    })
  },
)
