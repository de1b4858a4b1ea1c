import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFreshEngine } from '#/testing/engines.ts'
import type { Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { prepared } from './prepared.ts'
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

  it('says which tables it reads, at each use', async () => {
    for (let i = 0; i < 2; i++) {
      const reads = new Set<TableName>()
      await engine.transaction('read', (tx) => select(tx, { id: 'a', least: 0 }), reads)
      expect([...reads]).toEqual(['usage'])
    }
  })
})
