/** The three databases that tests run on, chosen by PURLIN_TEST_ENGINE: sqlite (default), wasm, postgres. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openPostgres } from '@purlin/server/databases/postgres'
import { openSqlite } from '@purlin/server/databases/sqlite'
import type { Engine } from '../db/engine.ts'

const silent = () => undefined

/** A fresh, empty database. */
export async function openTestEngine(): Promise<Engine> {
  const kind = process.env['PURLIN_TEST_ENGINE'] ?? 'sqlite'
  if (kind === 'wasm') {
    const { openWasm } = await import('@purlin/console/wasm')
    return openWasm()
  }
  if (kind === 'postgres') return openPostgresDatabase()
  return openSqlite(':memory:')
}

async function openPostgresDatabase(): Promise<Engine> {
  const url = new URL(process.env['PURLIN_TEST_PG_URL'] ?? '')
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await administer(url, `create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  const engine = openPostgres(own.href, silent)
  return {
    ...engine,
    close: async () => {
      await engine.close()
      await administer(url, `drop database ${name}`)
    },
  }
}

async function administer(url: URL, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(statement)
  await client.end()
}
