import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFreshEngine } from '#/testing/engines.ts'
import type { Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { migrationsFor, tables } from './migrations.ts'
import type { Tx } from './tables.ts'

describe.each(['sqlite', 'wasm', 'postgres'] as const)('the schema on %s', (kind) => {
  let engine: Engine
  beforeEach(async () => {
    engine = await openFreshEngine(kind)
    if (kind === 'postgres')
      await write((tx) => sql.raw('drop schema public cascade; create schema public').execute(tx))
  })
  afterEach(() => engine.close())

  const names = Object.keys(migrationsFor(kind === 'postgres' ? 'postgres' : 'sqlite', 0))
  const write = <T>(work: (tx: Tx) => Promise<T>) => engine.transaction('write', work)
  const tableNames = () =>
    write(async (tx) =>
      (await tx.introspection.getTables())
        .map(({ name }) => name)
        // What SQLite keeps its full text in.
        .filter((name) => !name.startsWith('searchIndex'))
        .toSorted(),
    )
  const applied = () =>
    write((tx) =>
      tx
        .$extendTables<{ kysely_migration: { name: string; timestamp: string } }>()
        .selectFrom('kysely_migration')
        .selectAll()
        .orderBy('name')
        .execute(),
    )
  const addUsage = (tx: Tx, id: string) =>
    tx.insertInto('usage').values({ id, cpus: 1, memory: 2, storage: 3 }).execute()

  /** The database of a release before the migrator: its tables, and its own record of applied migrations. */
  const makeFormer = (steps: readonly string[], appliedAt: (index: number) => number) =>
    write(async (tx) => {
      await tx.schema
        .createTable('migration')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('appliedAt', 'bigint', (c) => c.notNull())
        .execute()
      const migrations = migrationsFor(engine.name, 0)
      for (const [index, name] of steps.entries()) {
        await migrations[name]?.up(tx)
        await tx
          .$extendTables<{ migration: { name: string; appliedAt: number } }>()
          .insertInto('migration')
          .values({ name, appliedAt: appliedAt(index) })
          .execute()
      }
      await addUsage(tx, 'kept')
    })

  it('of an empty database has every table afterwards', async () => {
    await migrate(engine, 5)
    expect(await tableNames()).toEqual([...tables].toSorted())
    expect((await applied()).map(({ name }) => name)).toEqual(names)
  })

  it.runIf(kind === 'postgres')('is made beside a schema with tables of the same names', async () => {
    await write((tx) =>
      sql
        .raw(
          `drop schema if exists neighbour cascade; create schema neighbour;
           create table neighbour.kysely_migration (name text); create table neighbour.kysely_migration_lock (id text);
           create table neighbour.migration (name text)`,
        )
        .execute(tx),
    )
    await migrate(engine, 5)
    expect((await applied()).map(({ name }) => name)).toEqual(names)
  })

  it.each(names.map((name, i) => [name, i + 1] as const))(
    'of a database that an older release left at %s is brought up to date, with its rows',
    async (_, count) => {
      await makeFormer(names.slice(0, count), (index) => 1000 + index)
      await Promise.all([migrate(engine, 5), migrate(engine, 5)])
      expect(await tableNames()).toEqual([...tables].toSorted())
      const records = await applied()
      expect(records.map(({ name }) => name)).toEqual(names)
      expect(records[0]?.timestamp).toBe('1970-01-01T00:00:01.000Z')
      expect(await write((tx) => tx.selectFrom('usage').selectAll().execute())).toEqual([
        { id: 'kept', cpus: 1, memory: 2, storage: 3 },
      ])
    },
  )

  it('of an older release is taken over though its clock was set back meanwhile', async () => {
    await makeFormer(names, (index) => 1000 - index)
    await migrate(engine, 5)
    expect((await applied()).map(({ name }) => name)).toEqual(names)
    expect(await tableNames()).toEqual([...tables].toSorted())
  })

  it('lets users be found by their names, and drops the roles of those that are gone', async () => {
    await makeFormer(names.slice(0, names.indexOf('0011-roles-that-expire')), () => 1)
    const times = { timeCreated: 0, timeModified: 0 }
    const user = {
      id: 'u1',
      siloId: 's',
      externalId: 'x',
      displayName: 'Ann B',
      passwordHash: null,
      ...times,
    }
    await write(async (tx) => {
      await tx.insertInto('siloUser').values(user).execute()
      for (const id of ['u1', 'gone'])
        await sql`insert into ${sql.table('roleAssignment')} values ('silo', 's', 'silo_user', ${id}, 'viewer')`.execute(
          tx,
        )
    })
    await migrate(engine, 5)
    const left = await write(async (tx) => ({
      roles: await tx.selectFrom('roleAssignment').select(['identityId', 'timeExpires']).execute(),
      words: await tx.selectFrom('principalWord').selectAll().orderBy('word').execute(),
    }))
    expect(left).toEqual({
      roles: [{ identityId: 'u1', timeExpires: null }],
      words: ['ann', 'b'].map((word) => ({ siloId: 's', word, principalId: 'u1' })),
    })
  })

  it('is made by one of several servers that start at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(engine, 5)))
    expect((await applied()).map(({ name }) => name)).toEqual(names)
  })

  it('stays as it was when a migration fails', async () => {
    await write((tx) => tx.schema.createTable('layer').addColumn('other', 'text').execute())
    await expect(migrate(engine, 5)).rejects.toThrow(/layer/)
    expect(await tableNames()).toEqual(['layer'])
    await write((tx) => tx.schema.dropTable('layer').execute())
    await migrate(engine, 5)
    expect(await tableNames()).toEqual([...tables].toSorted())
  })
})
