/** The three databases that tests run on, chosen by PURLIN_TEST_ENGINE: sqlite (default), wasm, postgres. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll } from 'vitest'
import { openPostgres, type PostgresEngine } from '@purlin/databases/postgres'
import { openSqlite } from '@purlin/databases/sqlite-node'
import type { Engine } from '#/db/engine.ts'
import { migrate } from '#/db/migrate.ts'
import { tables } from '#/db/schema.ts'
import type { TableName } from '#/db/tables.ts'

const silent = () => undefined

// A test file that uses databases imports this file, and so its last hook is this one.
afterAll(closeSpareEngines)

export type EngineKind = 'sqlite' | 'wasm' | 'postgres'

/** The engine of this run. */
const engineOfRun = () => (process.env['PURLIN_TEST_ENGINE'] ?? 'sqlite') as EngineKind

/** A database with its initial content. It may have served another test before. */
export async function openTestEngine(): Promise<Engine> {
  const engine = spare.pop()
  if (!engine) return recycled(await firstEngine())
  const rows = (await firstRows) ?? []
  // A serializable one that deletes much would make those of other tests conflict.
  await engine.transaction('append', async (tx) => {
    // PostgreSQL takes them all in one message.
    if (engine.name === 'postgres')
      await sql.raw(tables.map((table) => `delete from "${table}"`).join(';')).execute(tx)
    else for (const table of tables) await tx.deleteFrom(table).execute()
    for (const [table, some] of rows) await tx.insertInto(table).values(some).execute()
  })
  return recycled(engine)
}

/** A database that no other test uses, before or after. */
export async function openFreshEngine(kind: EngineKind): Promise<Engine> {
  switch (kind) {
    case 'wasm': {
      const { openWasm } = await import('@purlin/databases/sqlite-wasm')
      return openWasm()
    }
    case 'postgres':
      return openPostgresDatabase()
    case 'sqlite':
      return openSqlite(':memory:')
  }
}

/**
 * A database with the schema that shares nothing with any other. Closing it drops it. `way` returns the URL under
 * which the engine reaches it.
 */
export async function openPostgresDatabase(
  way: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<PostgresEngine> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await administer((client) => client.query(`create database ${name}`))
  const engine = openPostgres(await way(urlOf(name)), silent)
  await migrate(engine, 0)
  return {
    ...engine,
    close: async () => {
      await engine.close()
      await administer((client) => drop(client, name))
    },
  }
}

/** Databases that a test has closed. Emptying one costs a tenth of making another, or less. */
const spare: Engine[] = []

/** The rows of a new database, by table. */
let firstRows: Promise<(readonly [TableName, object[]])[]> | undefined

async function firstEngine(): Promise<Engine> {
  const engine = await openFreshEngine(engineOfRun())
  await migrate(engine, 0)
  firstRows ??= engine.transaction('read', async (tx) => {
    const read: [TableName, object[]][] = []
    for (const table of tables) read.push([table, await tx.selectFrom(table).selectAll().execute()])
    return read.filter(([, rows]) => rows.length > 0)
  })
  await firstRows
  return engine
}

const recycled = (engine: Engine): Engine => ({
  ...engine,
  close: () => {
    spare.push(engine)
    return Promise.resolve()
  },
})

/** Drops the databases that are left for other tests. */
async function closeSpareEngines(): Promise<void> {
  for (const engine of spare.splice(0)) await engine.close()
}

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

/** An engine that rolls back what would be committed while `dry` is on. */
export function undoingEngine(engine: Engine): { engine: Engine; dry: { isOn: boolean } } {
  const dry = { isOn: false }
  const done = new Error('rolled back')
  const transaction: Engine['transaction'] = async (mode, work, reads) => {
    if (mode === 'read' || !dry.isOn) return engine.transaction(mode, work, reads)
    const results: Awaited<ReturnType<typeof work>>[] = []
    try {
      await engine.transaction(
        mode,
        async (...begun) => {
          results[0] = await work(...begun)
          throw done
        },
        reads,
      )
    } catch (error) {
      if (error !== done) throw error
    }
    return results[0] as Awaited<ReturnType<typeof work>>
  }
  const undoing = {
    ...engine,
    transaction,
    ...(engine.independentTransaction ? { independentTransaction: transaction } : {}),
  }
  return { engine: undoing, dry }
}

/** An engine whose transactions begin only once what it returns at that time has resolved. */
export function waitingEngine(engine: Engine, wait: () => Promise<void> | undefined): Engine {
  const transaction: Engine['transaction'] = async (...args) => {
    await wait()
    return engine.transaction(...args)
  }
  const independentTransaction: Engine['transaction'] = async (...args) => {
    await wait()
    return engine.independentTransaction?.(...args) ?? engine.transaction(...args)
  }
  return { ...engine, transaction, independentTransaction }
}
