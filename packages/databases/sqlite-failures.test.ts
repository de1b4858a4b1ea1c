import { mkdtempSync, openSync, closeSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { DatabaseUnusable, StorageFull, type Engine, type Tx } from '@purlin/core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqliteEngine, type SqliteHandle } from './sqlite.ts'
import { openSqlite } from './sqlite-node.ts'

let folder: string
let file: string
let engine: Engine
let told: (string | null)[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-sqlite-'))
  file = join(folder, 'purlin.db')
  told = []
  open()
  await engine.transaction('write', (tx) =>
    sql`create table lease (name text, holder text, until integer)`.execute(tx),
  )
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

const open = () => {
  engine = openSqlite(file, {
    onFull: () => told.push('full'),
    onTrouble: (reason) => told.push(reason),
  })
}
const add = (tx: Tx, size: number) =>
  tx
    .insertInto('lease')
    .values({ name: '', holder: 'x'.repeat(size), until: 0 })
    .execute()
const write = (size: number) => engine.transaction('write', (tx) => add(tx, size))
const limitPages = (pages: number) =>
  engine.transaction('write', (tx) => sql.raw(`pragma max_page_count = ${pages}`).execute(tx))

/** A handle without a cache of statements, whose database the test can change. */
const handleOf = (db: DatabaseSync): SqliteHandle => ({
  query: (statement, params) => ({
    rows: [],
    changes: Number(db.prepare(statement).run(...(params as string[])).changes),
  }),
  exec: (statement) => db.exec(statement),
  close: () => db.close(),
  codeOf: (error) => (error as { errcode?: number }).errcode ?? 0,
})

describe('SQLite that is full', () => {
  it('says so, asks for room, undoes what was begun, and goes on once there is room', async () => {
    await limitPages(10)
    await expect(write(200_000)).rejects.toBeInstanceOf(StorageFull)
    expect(told).toEqual(['full'])
    await write(10)
    await limitPages(1000)
    await write(200_000)
    expect(engine.trouble?.()).toBeUndefined()
  })

  it('keeps nothing of the writes that shared the commit', async () => {
    await limitPages(10)
    const together = await Promise.allSettled([write(10), write(200_000), write(10)])
    expect(together.map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected'])
    await limitPages(1000)
    const { rows } = await engine.transaction('write', (tx) => sql`select * from lease`.execute(tx))
    expect(rows).toEqual([])
  })
})

describe('a database file', () => {
  it('that is damaged while it is in use makes requests fail with the reason, which stays', async () => {
    for (let i = 0; i < 50; i++) await write(4000)
    await engine.close()
    const handle = openSync(file, 'r+')
    writeSync(handle, new Uint8Array(20 * 4096).fill(0xa5), 0, 20 * 4096, 4 * 4096)
    closeSync(handle)
    open()
    const readAll = () =>
      engine.transaction('write', (tx) => sql`select sum(length(holder)) from lease`.execute(tx))
    await expect(readAll()).rejects.toThrow(new DatabaseUnusable('the database file is damaged'))
    expect(engine.trouble?.()).toBe('the database file is damaged')
    await engine
      .transaction('write', (tx) => sql`create table other (text text)`.execute(tx))
      .catch(() => undefined)
    expect(told).toEqual(['the database file is damaged'])
  })

  it('that can be read only refuses writes with the reason, until it can be written again', async () => {
    const db = new DatabaseSync(file)
    const onTrouble = (reason: string | null) => told.push(reason)
    const other = createSqliteEngine({ writer: handleOf(db) }, { onTrouble })
    db.exec('pragma query_only = on')
    const reason = 'the database can be read only'
    const insert = () => other.transaction('write', (tx) => add(tx, 1))
    await expect(insert()).rejects.toThrow(new DatabaseUnusable(reason))
    expect(other.trouble?.()).toBe(reason)
    db.exec('pragma query_only = off')
    await insert()
    expect(other.trouble?.()).toBeUndefined()
    expect(told).toEqual([reason, null])
    await other.close()
  })

  it('that is none is refused with the reason', async () => {
    await engine.close()
    const handle = openSync(file, 'r+')
    writeSync(handle, 'This is a letter and not a database, as its first bytes say.')
    closeSync(handle)
    expect(open).toThrow(new DatabaseUnusable('the file is not a database'))
    rmSync(file)
    open()
  })
})
