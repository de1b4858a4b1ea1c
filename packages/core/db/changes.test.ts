import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFreshEngine } from '#/testing/engines.ts'
import { traced, type Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import type { TableName, Tx } from './tables.ts'

// PostgreSQL has no change counters, because other servers may write the same database.
describe.each(['sqlite', 'wasm'] as const)('how %s reports its own changes', (kind) => {
  let engine: Engine
  beforeEach(async () => {
    engine = await openFreshEngine(kind)
    await migrate(engine, 7)
  })
  afterEach(() => engine.close())

  const opened = ({ changes }: Engine) => {
    if (!changes) throw new Error(`${kind} does not know`)
    return { changes }
  }
  const write = <T>(work: (tx: Tx) => Promise<T>) => engine.transaction('write', work)
  const read = <T>(work: (tx: Tx) => Promise<T>, reads?: Set<TableName>) =>
    engine.transaction('read', work, reads)
  const add = (tx: Tx, id: string) =>
    tx.insertInto('usage').values({ id, cpus: 0, memory: 0, storage: 0 }).execute()

  it('a read reports which tables it has read, where the engine counts all changes', async () => {
    const reads = new Set<TableName>()
    await read(async (tx) => {
      await tx
        .selectFrom('disk')
        .innerJoin('instance', 'instance.id', 'disk.instanceId')
        .select('disk.id')
        .execute()
      await tx
        .selectFrom('project')
        .select('id')
        .where('id', 'in', (eb) => eb.selectFrom('roleAssignment').select('resourceId'))
        .execute()
    }, reads)
    expect([...reads].toSorted()).toEqual(['disk', 'instance', 'project', 'roleAssignment'])
  })

  it('versions move with a commit that writes the table, and only then', async () => {
    const { changes } = opened(engine)
    const look = () => [changes.commits(), changes.version('usage'), changes.version('disk')]
    const start = look()
    await read((tx) => tx.selectFrom('usage').selectAll().execute())
    expect(look()).toEqual(start)
    const failed = write(async (tx) => {
      await add(tx, 'a')
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(look()).toEqual(start)
    const [commits = 0, usage = 0, disk = 0] = start
    await write(async (tx) => {
      await add(tx, 'a')
      expect(look()).toEqual(start)
    })
    expect(look()).toEqual([commits + 1, usage + 1, disk])
  })

  it('the versions have moved before any transaction resolves', async () => {
    const { changes } = opened(engine)
    const before = changes.version('usage')
    await Promise.all(
      ['a', 'b', 'c'].map((id) =>
        write((tx) => add(tx, id)).then(() => expect(changes.version('usage')).toBeGreaterThan(before)),
      ),
    )
  })

  it('a result is current until a table that it was read from changes', async () => {
    const usage = () =>
      traced(engine, (reads) => read((tx) => tx.selectFrom('usage').selectAll().execute(), reads))
    const { fresh } = await usage()
    await write((tx) => tx.deleteFrom('disk').execute())
    expect(fresh?.()).toBe(true)
    await write((tx) => add(tx, 'a'))
    expect(fresh?.()).toBe(false)
  })

  it('it is not known whether a result is current if something was committed while it was read', async () => {
    const { fresh } = await traced(engine, async (reads) => {
      await read((tx) => tx.selectFrom('usage').selectAll().execute(), reads)
      await write((tx) => add(tx, 'a'))
    })
    expect(fresh).toBeUndefined()
  })
})
