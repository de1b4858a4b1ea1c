/** The building blocks of schema steps. Shipped steps use them, so their results never change. */
import { sql, type CreateTableBuilder, type Kysely } from 'kysely'

// Text, whole number, bytes.
export type Kind = 't' | 'i' | 'b' | 't?' | 'i?'
type Indexes = readonly (readonly string[])[]
export interface TableSpec {
  columns: Record<string, Kind>
  key: readonly string[]
  /** Its rows are in the index of its key, where the engine can do that. */
  inOrderOfKey?: true
  /** Its rows have a number `seq`, by which SQLite's full text finds them. */
  isNumbered?: true
  unique?: Indexes
  index?: Indexes
}

export const identity = { id: 't', name: 't', description: 't', timeCreated: 'i', timeModified: 'i' } as const
export const id = ['id'] as const

/** The table of a plain resource of projects, with an index for each order of its list: by name and by id. */
export const inProject = <const C extends Record<string, Kind>>(columns: C) =>
  ({
    columns: { ...identity, projectId: 't', ...columns },
    key: id,
    unique: [['projectId', 'name']],
    index: [['projectId', 'id']],
  }) as const

/** A database of any version: a step names the tables and columns that it reads. */
export type Db = Kysely<object>
export type EngineName = 'sqlite' | 'postgres'

/** One change of the schema. Columns added to a table that has rows are null in them. */
export interface Step {
  name: string
  tables?: Record<string, TableSpec>
  columns?: Record<string, { columns: Record<string, 't?' | 'i?'>; unique?: Indexes; index?: Indexes }>
  /** Names of indexes that are no longer needed. */
  dropped?: readonly string[]
  /**
   * Parts other than tables, columns and indexes: derived rows, special indexes, triggers. `now` is in ms since 1970.
   */
  fill?: (db: Db, at: { now: number; engine: EngineName }) => Promise<void>
}

/** Carries out a step. */
export async function apply(db: Db, engine: EngineName, step: Step & { now: number }): Promise<void> {
  for (const [name, spec] of Object.entries(step.tables ?? {}))
    await createTable(db, engine, { name, ...spec })
  for (const [name, spec] of Object.entries(step.columns ?? {}))
    await addColumns(db, engine, { name, ...spec })
  for (const name of step.dropped ?? []) await db.schema.dropIndex(name).execute()
  await step.fill?.(db, { now: step.now, engine })
}

// Pages by name use the byte order of their ASCII text, whatever the collation of the server.
function typeOf(engine: EngineName, kind: Kind) {
  if (kind.startsWith('i')) return sql`bigint`
  if (kind === 'b') return engine === 'postgres' ? sql`bytea` : sql`blob`
  return engine === 'postgres' ? sql`text collate "C"` : sql`text`
}

async function addColumns(
  db: Db,
  engine: EngineName,
  { name, columns, ...indexes }: Pick<TableSpec, 'columns' | 'unique' | 'index'> & { name: string },
): Promise<void> {
  for (const [column, kind] of Object.entries(columns))
    await db.schema.alterTable(name).addColumn(column, typeOf(engine, kind)).execute()
  await addIndexes(db, { name, ...indexes })
}

async function createTable(db: Db, engine: EngineName, spec: TableSpec & { name: string }): Promise<void> {
  const { name } = spec
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, kind] of Object.entries(spec.columns)) {
    table = table.addColumn(column, typeOf(engine, kind), (c) => (kind.endsWith('?') ? c : c.notNull()))
  }
  const isNumbered = spec.isNumbered && engine === 'sqlite'
  if (isNumbered) table = table.addColumn('seq', 'integer', (c) => c.primaryKey())
  const keyed = isNumbered
    ? table.addUniqueConstraint(`${name}_key`, [...spec.key])
    : table.addPrimaryKeyConstraint(`${name}_key`, [...spec.key])
  const isClustered = spec.inOrderOfKey && engine === 'sqlite'
  await (isClustered ? keyed.modifyEnd(sql`without rowid`) : keyed).execute()
  await addIndexes(db, spec)
}

async function addIndexes(
  db: Db,
  { name, ...spec }: Pick<TableSpec, 'unique' | 'index'> & { name: string },
): Promise<void> {
  const all = [
    ...(spec.unique ?? []).map((columns) => ({ columns, unique: true })),
    ...(spec.index ?? []).map((columns) => ({ columns, unique: false })),
  ]
  for (const { columns, unique } of all) {
    const index = db.schema
      .createIndex(`${name}_${columns.join('_')}`)
      .on(name)
      .columns([...columns])
    await (unique ? index.unique() : index).execute()
  }
}
