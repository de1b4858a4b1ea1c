import { mkdtempSync, openSync, closeSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { DatabaseUnusable, StorageFull, type Engine, type Tx } from '@purlin/core/ports'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { notOnDisk } from './sqlite-errors.ts'
import { createSqliteEngine } from './sqlite.ts'
import type { SqliteHandle } from './sqlite-connection.ts'
import { openSqlite } from './sqlite-node.ts'

let folder: string
let file: string
let engine: Engine
let reported: (string | null)[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-sqlite-'))
  file = join(folder, 'purlin.db')
  reported = []
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
    onFull: () => reported.push('full'),
    onTrouble: (reason) => reported.push(reason),
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

/** An engine on the file, whose commits are on disk when the test says so. */
function openOnSlowDisk() {
  const db = new DatabaseSync(file)
  const syncs: { done: () => void; fail: (error: Error) => void }[] = []
  const sync = () => new Promise<void>((done, fail) => void syncs.push({ done, fail }))
  const handles = { writer: { ...handleOf(db), sync }, reader: handleOf(new DatabaseSync(file)) }
  const onTrouble = (reason: string | null) => reported.push(reason)
  return { engine: createSqliteEngine(handles, { onTrouble }), syncs }
}
const readAll = (from: Engine) =>
  from.transaction('read', (tx) => tx.selectFrom('lease').selectAll().execute())

/** More turns of the event loop than a commit takes: its sync is that of the test. */
async function manyTurns() {
  for (let i = 0; i < 100; i++) await new Promise(setImmediate)
}

describe('commits on a slow disk', () => {
  it('are answered once they are on disk, to their writers and readers; other work continues', async () => {
    const { engine: other, syncs } = openOnSlowDisk()
    const answered: string[] = []
    const note = (what: string) => () => answered.push(what)
    const first = other.transaction('write', (tx) => add(tx, 1)).then(note('write'))
    await vi.waitFor(() => expect(syncs).toHaveLength(1), 60_000)
    const read = readAll(other).then(note('read'))
    await manyTurns()
    const second = other.transaction('write', (tx) => add(tx, 1)).then(note('second write'))
    await manyTurns()
    expect(answered).toEqual([])
    syncs[0]?.done()
    await Promise.all([first, read, vi.waitFor(() => expect(syncs).toHaveLength(2), 60_000)])
    expect(answered).not.toContain('second write')
    syncs[1]?.done()
    await second
    await readAll(other)
    expect(syncs).toHaveLength(2)
    await other.close()
  })
})

describe('SQLite that is full', () => {
  it('reports it, requests space, rolls back, and continues once there is space', async () => {
    await limitPages(10)
    await expect(write(200_000)).rejects.toBeInstanceOf(StorageFull)
    expect(reported).toEqual(['full'])
    await write(10)
    await limitPages(1000)
    await write(200_000)
    expect(engine.trouble?.()).toBeUndefined()
  })

  it('stores none of the writes that shared the commit', async () => {
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
    expect(reported).toEqual(['the database file is damaged'])
  })

  it('that can be read only refuses writes with the reason, until it can be written again', async () => {
    const db = new DatabaseSync(file)
    const onTrouble = (reason: string | null) => reported.push(reason)
    const other = createSqliteEngine({ writer: handleOf(db) }, { onTrouble })
    db.exec('pragma query_only = on')
    const reason = 'the database can be read only'
    const insert = () => other.transaction('write', (tx) => add(tx, 1))
    await expect(insert()).rejects.toThrow(new DatabaseUnusable(reason))
    expect(other.trouble?.()).toBe(reason)
    db.exec('pragma query_only = off')
    await insert()
    expect(other.trouble?.()).toBeUndefined()
    expect(reported).toEqual([reason, null])
    await other.close()
  })

  it('whose disk fails to store a commit rejects every request until it is opened again', async () => {
    const other = openOnSlowDisk()
    const insert = () => other.engine.transaction('write', (tx) => add(tx, 1))
    const first = insert()
    await vi.waitFor(() => expect(other.syncs).toHaveLength(1), 60_000)
    other.syncs[0]?.fail(new DatabaseUnusable(notOnDisk))
    await expect(first).rejects.toThrow(new DatabaseUnusable(notOnDisk))
    await expect(insert()).rejects.toThrow(notOnDisk)
    await expect(readAll(other.engine)).rejects.toThrow(notOnDisk)
    expect(reported).toEqual([notOnDisk])
    await other.engine.close()
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
