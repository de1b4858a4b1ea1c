import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFreshEngine } from '#/testing/engines.ts'
import type { Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { insertRow, insertRows, prepared } from './prepared.ts'
import type { TableName } from './tables.ts'

describe.each(['sqlite', 'wasm'] as const)('a prepared query on %s', (kind) => {
  let engine: Engine
  let built = 0
  const select = prepared<{ id: string; least: number }, { id: string; cpus: number }>((tx, value) => {
    built++
    return tx
      .selectFrom('usage')
      .select(['id', 'cpus'])
      .where('id', '=', value('id'))
      .where('cpus', '>=', value('least'))
  })
  beforeEach(async () => {
    built = 0
    engine = await openFreshEngine(kind)
    await migrate(engine, 0)
    const row = { memory: 0, storage: 0 }
    const rows = ['a', 'b'].map((id, cpus) => ({ id, cpus, ...row }))
    await engine.transaction('write', (tx) => tx.insertInto('usage').values(rows).execute())
  })
  afterEach(() => engine.close())

  it('is built once, and takes other values at each use', async () => {
    const found = (id: string, least: number) => engine.transaction('read', (tx) => select(tx, { id, least }))
    expect(await found('a', 0)).toEqual([{ id: 'a', cpus: 0 }])
    expect(await found('b', 0)).toEqual([{ id: 'b', cpus: 1 }])
    expect(await found('b', 2)).toEqual([])
    expect(built).toBe(1)
  })

  it('may be given its limit, by which it is not planned', async () => {
    let text = ''
    const some = prepared<{ most: number }, { id: string }>((tx, value) => {
      const query = tx.selectFrom('usage').select('id').orderBy('id').limit(value('most'))
      text = query.compile().sql
      return query
    })
    const found = (most: number) => engine.transaction('read', (tx) => some(tx, { most }))
    expect([await found(1), await found(2)]).toEqual([[{ id: 'a' }], [{ id: 'a' }, { id: 'b' }]])
    expect(text).toMatch(/limit \? \+ 0$/)
  })

  it('is built once for each variant', async () => {
    const column = prepared<{ id: string }, { value: number }, [column: 'cpus' | 'memory']>(
      (tx, value, [name]) => {
        built++
        return tx.selectFrom('usage').select(`${name} as value`).where('id', '=', value('id'))
      },
    )
    const found = (name: 'cpus' | 'memory') =>
      engine.transaction('read', (tx) => column(tx, { id: 'b' }, name))
    for (let i = 0; i < 2; i++) {
      expect(await found('cpus')).toEqual([{ value: 1 }])
      expect(await found('memory')).toEqual([{ value: 0 }])
    }
    expect(built).toBe(2)
  })

  it('is compiled once for all connections of an engine, and again for another engine', async () => {
    const other = await openFreshEngine(kind)
    await migrate(other, 0)
    for (const one of [engine, engine, other, other])
      for (const mode of ['read', 'write'] as const)
        await one.transaction(mode, (tx) => select(tx, { id: 'a', least: 0 }))
    await other.close()
    expect(built).toBe(2)
  })

  it('says which tables it reads, at each use', async () => {
    for (let i = 0; i < 2; i++) {
      const reads = new Set<TableName>()
      await engine.transaction('read', (tx) => select(tx, { id: 'a', least: 0 }), reads)
      expect([...reads]).toEqual(['usage'])
    }
  })

  it('inserts rows by column name, in any order of columns', async () => {
    const rows = (ids: string[]) => ids.map((id) => ({ id, cpus: 1, memory: 2, storage: 3 }))
    await engine.transaction('write', async (tx) => {
      await insertRow(tx, 'usage', { storage: 3, memory: 2, cpus: 1, id: 'c' })
      await insertRow(tx, 'usage', { id: 'd', cpus: 1, memory: 2, storage: 3 })
      const ids = Array.from({ length: 19 }, (_, i) => `e${String(i).padStart(2, '0')}`)
      await insertRows(tx, 'usage', rows(ids))
      await insertRows(tx, 'usage', [])
    })
    const stored = await engine.transaction('read', (tx) =>
      tx.selectFrom('usage').selectAll().where('id', '>', 'b').orderBy('id').execute(),
    )
    expect(stored).toHaveLength(21)
    expect(new Set(stored.map(({ cpus, memory, storage }) => [cpus, memory, storage].join()))).toEqual(
      new Set(['1,2,3']),
    )
  })
})
