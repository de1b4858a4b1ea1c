import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { omits } from '@purlin/sleds/testing/skips'
import { openFreshEngine } from '#/testing/engines.ts'
import { sample } from '#/testing/samples.ts'
import type { Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { migrationsFor, tables } from './schema.ts'
import { addSearched } from './migrations/search.ts'
import type { Step } from './migrations/step.ts'
import { kindRows } from './kinds.ts'
import { indexedKinds } from './lists/search-index.ts'
import type { Tx } from './tables.ts'

type Notes = { note: { id: string; name: string } }
/** A step that comes later: a new table that is searched, and an old table that was not searched. */
const later: Step = {
  name: '9999-later',
  tables: { note: { columns: { id: 't', name: 't' }, key: ['id'] } },
  fill: async (db, { engine }) => {
    await addSearched(db, engine, { kind: 'note', table: 'note', texts: ['name'] })
    await addSearched(db, engine, {
      kind: 'certificate',
      table: 'certificate',
      texts: ['name', 'description'],
      holder: 'siloId',
      silo: 'siloId',
    })
  },
}

const triggersOf = {
  sqlite: async (tx: Tx) => {
    const db = tx.$extendTables<{ sqlite_master: { type: string; name: string } }>()
    const rows = await db.selectFrom('sqlite_master').select('name').where('type', '=', 'trigger').execute()
    return rows.map(({ name }) => name)
  },
  postgres: async (tx: Tx) => {
    const { rows } = await sql<{ name: string }>`select tgname as name from pg_trigger`.execute(tx)
    return rows.map(({ name }) => name)
  },
}

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
        // The tables of SQLite's full text.
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

  const addCertificate = () =>
    write((tx) => {
      const names = { certPem: '', keyPem: '', subject: '', issuer: '', dnsNamesJson: '[]' }
      const times = { timeCreated: 0, timeModified: 0, notBefore: 0, notAfter: 0 }
      const row = { id: 'c', name: 'example-07', description: '', siloId: 's', ...names, ...times }
      return sql`insert into certificate (${sql.join(Object.keys(row).map((one) => sql.ref(one)))})
        values (${sql.join(Object.values(row))})`.execute(tx)
    })
  const searched = async () => {
    const rows = await write((tx) => tx.selectFrom('searchText').select(['kind', 'id', 'words']).execute())
    return rows.map((row) => `${row.kind} ${row.id} ${row.words}`).toSorted()
  }

  it('of an empty database has every table afterwards', async () => {
    await migrate(engine, 5)
    expect(await tableNames()).toEqual([...tables].toSorted())
    expect((await applied()).map(({ name }) => name)).toEqual(names)
  })

  it.skipIf(omits(kind !== 'postgres' && 'only PostgreSQL has schemas'))(
    'is created in addition to a schema with tables of the same names',
    async () => {
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
    },
  )

  const versions = names.map((name, i) => [name, i + 1] as const)
  it.each(kind === 'sqlite' ? versions : sample(versions))(
    'of a database that an older release left at %s is brought up to date with its rows, and a later step adds kinds to its search',
    async (name, count) => {
      await makeFormer(names.slice(0, count), (index) => 1000 + index)
      const hasCertificates = name >= '0014-certificates'
      if (hasCertificates) await addCertificate()
      await Promise.all([migrate(engine, 5), migrate(engine, 5)])
      expect(await tableNames()).toEqual([...tables].toSorted())
      const records = await applied()
      expect(records.map((record) => record.name)).toEqual(names)
      expect(records[0]?.timestamp).toBe('1970-01-01T00:00:01.000Z')
      expect(await write((tx) => tx.selectFrom('usage').selectAll().execute())).toEqual([
        { id: 'kept', cpus: 1, memory: 2, storage: 3 },
      ])
      if (!hasCertificates) await addCertificate()
      // The sizes of machines that a step makes are found as well, until they are deleted.
      expect((await searched()).filter((row) => row.startsWith('machineSize '))).toHaveLength(12)
      await write((tx) => tx.deleteFrom('machineSize').execute())
      await write((tx) => migrationsFor(engine.name, 5, [later])[later.name]?.up(tx) ?? Promise.reject())
      await write(async (tx) => {
        await tx.$extendTables<Notes>().insertInto('note').values({ id: 'n', name: 'a' }).execute()
        await tx.insertInto('searchText').values({ id: 'n', kind: 'note', words: 'a' }).execute()
      })
      expect(await searched()).toEqual([
        'certificate c example 07 7 \u{e000}certificates \u{e001}c \u{e004}example07 \u{e003}s',
        'note n a',
      ])
      await write((tx) => tx.deleteFrom('certificate').execute())
      await write((tx) => tx.$extendTables<Notes>().deleteFrom('note').execute())
      expect(await searched()).toEqual([])
    },
  )

  it('deletes the words of the deleted rows of every searched kind', async () => {
    await migrate(engine, 5)
    const triggers = await write((tx) => triggersOf[engine.name](tx))
    const tablesWith = triggers
      .filter((name) => name.endsWith('_unsearched'))
      .map((name) => name.split('_')[0])
    // If a table is missing here, a step has to add its search: see migrations/search.ts.
    expect(new Set(tablesWith)).toEqual(new Set(indexedKinds.map((kind) => kindRows[kind].table)))
  })

  it('of an older release is taken over although its clock was set back', async () => {
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

  it('is created by one of several servers that start at the same time', async () => {
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
