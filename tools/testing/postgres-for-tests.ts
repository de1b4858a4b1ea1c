import { findPostgres, startPostgres } from '@purlin/server/testing/postgres'

/**
 * Vitest's global setup: one PostgreSQL for the whole run, its address in PURLIN_TEST_PG_URL.
 * An address that is already there is used as it is; `off` runs without PostgreSQL.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['PURLIN_TEST_PG_URL']
  if (given === 'off') delete process.env['PURLIN_TEST_PG_URL']
  if (given) return undefined
  if (!findPostgres()) {
    if (process.env['CI']) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
    return undefined
  }
  // It remembers ten serializable transactions for each connection while an older one runs, in whichever database.
  // Beyond that it takes strangers for conflicts: tests of two files would fail each other.
  const server = await startPostgres({ connections: 1_000 })
  process.env['PURLIN_TEST_PG_URL'] = server.url
  return () => server.stop()
}
