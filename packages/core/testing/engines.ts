/** The three databases that tests run on, chosen by PURLIN_TEST_ENGINE: sqlite (default), wasm, postgres. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openPostgres } from '@purlin/server/databases/postgres'
import { openSqlite } from '@purlin/server/databases/sqlite'
import type { Engine } from '../db/engine.ts'
import { migrate } from '../db/migrations.ts'

const silent = () => undefined

export type EngineKind = 'sqlite' | 'wasm' | 'postgres'

/** A fresh, empty database. */
export async function openTestEngine(
  kind = (process.env['PURLIN_TEST_ENGINE'] ?? 'sqlite') as EngineKind,
): Promise<Engine> {
  switch (kind) {
    case 'wasm': {
      const { openWasm } = await import('@purlin/console/wasm')
      return openWasm()
    }
    case 'postgres':
      return openPostgresDatabase()
    case 'sqlite':
      return openSqlite(':memory:')
  }
}

let template: Promise<string> | undefined

/** The schema is made once per process; a database with it is then a copy, which costs a tenth. */
async function makeTemplate(): Promise<string> {
  const name = newName('template')
  await administer((client) => client.query(`create database ${name}`))
  const engine = openPostgres(urlOf(name), silent)
  await migrate(engine, 0)
  await engine.close()
  return name
}

async function openPostgresDatabase(): Promise<Engine> {
  const from = await (template ??= makeTemplate())
  const name = newName('t')
  await administer((client) => client.query(`create database ${name} template ${from}`))
  const engine = openPostgres(urlOf(name), silent)
  return {
    ...engine,
    close: async () => {
      await engine.close()
      await administer((client) => drop(client, name))
    },
  }
}

const newName = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '')}`

function urlOf(database: string): string {
  const url = new URL(process.env['PURLIN_TEST_PG_URL'] ?? '')
  url.pathname = `/${database}`
  return url.href
}

// PostgreSQL waits a tenth of a second if it meets a connection that is just about to end.
async function drop(client: pg.Client, name: string): Promise<void> {
  const others = 'select 1 from pg_stat_activity where datname = $1'
  for (let tries = 0; tries < 100; tries++) {
    if ((await client.query(others, [name])).rowCount === 0) break
    await sleep(1)
  }
  await client.query(`drop database ${name} with (force)`)
}

let administrator: Promise<pg.Client> | undefined

async function administer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  administrator ??= connect()
  await work(await administrator)
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: process.env['PURLIN_TEST_PG_URL'] })
  await client.connect()
  // It must not keep the process alive.
  ;(client as unknown as { connection: { stream: { unref(): void } } }).connection.stream.unref()
  return client
}
