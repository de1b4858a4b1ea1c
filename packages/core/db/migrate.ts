/** Brings a database to the newest schema with the query builder's migrator. */
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { DatabaseUnusable, type Engine } from './engine.ts'
import { migrationsFor } from './schema.ts'
import type { Tx } from './tables.ts'

/**
 * Applies all missing migrations, or none of them. Several servers may call it at the same time. Throws
 * DatabaseUnusable if a newer version has applied others.
 */
export async function migrate(engine: Engine, now: number): Promise<void> {
  const migrations = migrationsFor(engine.name, now)
  const applied = await namesApplied(engine)
  const names = Object.keys(migrations)
  if (applied.some((name) => !names.includes(name)))
    throw new DatabaseUnusable('it was written by a newer version of this server')
  if (applied.length === names.length) return
  await engine.withMigrationConnection(async (db) => {
    const schema = await schemaOf(engine, db)
    const migrator = new Migrator({
      db,
      ...(schema === undefined ? {} : { migrationTableSchema: schema }),
      provider: {
        // Called once the migrator holds its lock, and before it reads the applied migrations.
        getMigrations: async () => {
          await adoptFormerRecords(db, schema)
          return migrations
        },
      },
    })
    const { error } = await migrator.migrateToLatest()
    // It returns the error instead of throwing it.
    if (error !== undefined) throw error as Error
  })
}

/** The schema whose tables are ours: others of the database may have tables of the same names. SQLite has one. */
async function schemaOf({ name }: Engine, tx: Tx): Promise<string | undefined> {
  if (name === 'sqlite') return undefined
  const { rows } = await sql<{ schema: string }>`select current_schema() as "schema"`.execute(tx)
  return rows[0]?.schema
}

type MigrationRecords = {
  /** Where databases up to schema 0004 noted what had been applied. */
  migration: { name: string; appliedAt: number }
  kysely_migration: { name: string; timestamp: string }
}

/** The applied migrations: one query, without a lock. */
async function namesApplied(engine: Engine): Promise<string[]> {
  try {
    const records = await engine.transaction('read', (tx) =>
      tx.$extendTables<MigrationRecords>().selectFrom('kysely_migration').select('name').execute(),
    )
    return records.map(({ name }) => name)
  } catch {
    // The table is missing. Any other reason makes the migrator fail as well, and that is reported.
    return []
  }
}

/** Hands the records of databases that are older than the migrator over to it. */
async function adoptFormerRecords(tx: Tx, schema: string | undefined): Promise<void> {
  const tables = await tx.introspection.getTables()
  if (!tables.some((table) => table.name === 'migration' && (schema ?? table.schema) === table.schema)) return
  const db = tx.$extendTables<MigrationRecords>()
  const former = await db.selectFrom('migration').selectAll().orderBy('name').execute()
  // The migrator sorts by time, and a clock may have been set back between two of them.
  let latest = 0
  const records = former.map(({ name, appliedAt }) => {
    latest = Math.max(latest, appliedAt)
    return { name, timestamp: new Date(latest).toISOString() }
  })
  if (records.length > 0) await db.insertInto('kysely_migration').values(records).execute()
  await db.schema.dropTable('migration').execute()
}
