import { sql } from 'kysely'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { Tx } from '@purlin/core/ports'
import { openSqlite } from './sqlite-node.ts'

it('another thread moves a long write-ahead log into the file, and later writes follow', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purlin-log-'))
  const engine = openSqlite(join(folder, 'purlin.db'))
  await engine.transaction('write', (tx) => sql`create table lease (name text, holder text)`.execute(tx))
  const insert = (i: number) =>
    engine.transaction('write', (tx) =>
      sql`insert into lease values (${`name ${i}`}, hex(randomblob(400000)))`.execute(tx),
    )
  // 12 × 800 kB are 2350 pages, fewer than those at which a writer does it.
  for (let i = 0; i < 12; i++) await insert(i)
  const file = join(folder, 'purlin.db')
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(8_000_000), 60_000)
  await insert(12)
  const rows = await engine.transaction('read', (tx) => tx.selectFrom('lease').select('name').execute())
  expect(rows).toHaveLength(13)
  await engine.close()
  rmSync(folder, { recursive: true })
})

it('a reused statement returns a column that was added since', async () => {
  const engine = openSqlite(':memory:')
  const all = (tx: Tx) => tx.selectFrom('lease').selectAll().execute()
  const found = await engine.transaction('write', async (tx) => {
    await sql`create table lease (name text, holder text)`.execute(tx)
    await sql`insert into lease values ('"name"', null)`.execute(tx)
    const before = await all(tx)
    await sql`alter table lease add column until integer default 7`.execute(tx)
    return { before, after: await all(tx) }
  })
  expect(found).toEqual({
    before: [{ name: '"name"', holder: null }],
    after: [{ name: '"name"', holder: null, until: 7 }],
  })
  await engine.close()
})

it('writes that share a commit run again only if one of them is undone after another has changed something', async () => {
  const engine = openSqlite(':memory:')
  await engine.transaction('write', (tx) =>
    sql`create table lease (name text, holder text, until integer)`.execute(tx),
  )
  const runs: string[] = []
  const write = (name: string, ending?: 'fails' | 'fails directly') =>
    engine.transaction('write', async (tx) => {
      runs.push(name)
      if (ending === 'fails directly') throw new Error(name)
      await tx.insertInto('lease').values({ name, holder: '', until: 0 }).execute()
      if (ending) throw new Error(name)
    })
  const named = () =>
    engine.transaction('read', async (tx) =>
      (await tx.selectFrom('lease').select('name').execute()).map(({ name }) => name),
    )

  await Promise.allSettled([
    write('a', 'fails'),
    write('b', 'fails directly'),
    write('c', 'fails'),
    write('d'),
  ])
  expect(runs.splice(0)).toEqual(['a', 'b', 'c', 'd'])
  await Promise.allSettled([write('e'), write('f', 'fails directly'), write('g')])
  expect(runs.splice(0)).toEqual(['e', 'f', 'g'])
  await Promise.allSettled([write('h'), write('i', 'fails'), write('j', 'fails'), write('k')])
  expect(runs.splice(0)).toEqual(['h', 'i', 'h', 'i', 'j', 'k'])
  await Promise.allSettled([write('l'), write('m', 'fails'), write('n')])
  expect(runs.splice(0)).toEqual(['l', 'm', 'n'])
  expect(await named()).toEqual(['d', 'e', 'g', 'h', 'k', 'l', 'n'])
  await engine.close()
})
