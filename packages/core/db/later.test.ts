import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFreshEngine } from '#/testing/engines.ts'
import { UniqueViolation, type Engine } from './engine.ts'
import { insertLater } from './later.ts'
import { migrate } from './migrate.ts'
import { insertRow } from './prepared.ts'
import { candidatesEverywhere, wordsOfRow } from './lists/search-index.ts'
import type { Tx } from './tables.ts'

describe.each(['sqlite', 'wasm'] as const)('rows that are inserted with the commit, on %s', (kind) => {
  let engine: Engine
  beforeEach(async () => {
    engine = await openFreshEngine(kind)
    await migrate(engine, 0)
  })
  afterEach(() => engine.close())

  const later = (tx: Tx, id: string) =>
    insertLater(tx, 'searchText', {
      id,
      kind: 'project',
      words: wordsOfRow('project', { id, name: id, siloId: 'silo' }).join(' '),
    })
  const project = (tx: Tx, id: string) =>
    insertRow(tx, 'project', {
      id,
      name: id,
      description: '',
      timeCreated: 0,
      timeModified: 0,
      siloId: 'silo',
      rcgen: 0,
    })
  const idsIn = async (tx: Tx) =>
    (await tx.selectFrom('searchText').select('id').orderBy('id').execute()).map(({ id }) => id)
  const stored = () => engine.transaction('read', idsIn)
  /** A write of a project and of its row of the index. */
  const write = (id: string, ending?: Error) =>
    engine.transaction('write', async (tx) => {
      await later(tx, id)
      await project(tx, id)
      if (ending) throw ending
    })

  it('are those of all that share it, and are found', async () => {
    const ids = Array.from({ length: 19 }, (_, i) => `p${String(i).padStart(2, '0')}`)
    await Promise.all(ids.map((id) => write(id)))
    expect(await stored()).toEqual(ids)
    const found = await engine.transaction('read', (tx) =>
      candidatesEverywhere({ tx, world: { engine } }, [{ parts: ['p', '18'] }], {
        scopes: { siloId: 'silo', projectIds: [], lists: [] },
        kinds: ['project'],
        most: 10,
      }),
    )
    expect(found).toEqual([{ id: 'p18', kind: 'project' }])
  })

  it('are there for what reads them, and are deleted by triggers', async () => {
    const seen = await engine.transaction('write', async (tx) => {
      await later(tx, 'a')
      return idsIn(tx)
    })
    await Promise.all([
      write('b'),
      engine.transaction('write', (tx) => tx.deleteFrom('project').where('id', '=', 'b').execute()),
      engine.transaction('write', async (tx) => {
        await later(tx, 'c')
        await sql`delete from "searchText" where "id" = 'c'`.execute(tx)
      }),
    ])
    expect([seen, await stored()]).toEqual([['a'], ['a']])
  })

  it('are not inserted for a write that fails, and are for the others', async () => {
    const failure = new Error('failed')
    const outcomes = await Promise.allSettled([
      engine.transaction('write', (tx) => later(tx, 'a')),
      write('b', failure),
      engine.transaction('write', async (tx) => {
        await later(tx, 'c')
        throw failure
      }),
      write('d'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(await stored()).toEqual(['a', 'd'])
    await Promise.allSettled([write('e', failure), write('f')])
    expect(await stored()).toEqual(['a', 'd', 'f'])
  })

  it('fail the write that they are of, and no other', async () => {
    const outcomes = await Promise.allSettled([
      write('a'),
      engine.transaction('write', (tx) => later(tx, 'a')),
      write('b'),
    ])
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: expect.any(UniqueViolation) as unknown },
      { status: 'fulfilled', value: undefined },
    ])
    expect(await stored()).toEqual(['a', 'b'])
  })

  it('fail the write that they are of though another one needs them first', async () => {
    await Promise.all([write('a'), write('b')])
    const outcomes = await Promise.allSettled([
      engine.transaction('write', (tx) => later(tx, 'c')),
      engine.transaction('write', (tx) => later(tx, 'a')),
      engine.transaction('write', (tx) => tx.deleteFrom('project').where('id', '=', 'b').execute()),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await stored()).toEqual(['a', 'c'])
  })
})
