import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Tx } from '@purlin/core/ports'
import { openSqlite } from './sqlite-node.ts'

it('a statement that is used again knows a column that was added meanwhile', async () => {
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
