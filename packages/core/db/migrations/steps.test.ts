/**
 * The golden files have what each step adds to the schema and rows of a database (+) and takes from them (-). The
 * database has rows of every table of the first version. The part of a shipped step never changes; a new step adds one.
 */
import { sql, type Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { migrationsFor } from '#/db/schema.ts'
import { indexEverything } from '#/testing/state.ts'
import type { Tx } from '#/db/tables.ts'
import { openFreshEngine, type EngineKind } from '#/testing/engines.ts'

type Row = Readonly<Record<string, string | number | null>>
const newest = Object.keys(migrationsFor('sqlite', 0)).at(-1)

/** Carries out all steps in a transaction, and `work` after each. */
async function afterEachStep(kind: EngineKind, work: (tx: Tx, name: string) => Promise<void>) {
  const engine = await openFreshEngine(kind)
  await engine.transaction('write', async (tx) => {
    if (kind === 'postgres') await sql.raw('drop schema public cascade; create schema public').execute(tx)
    for (const [index, [name, step]] of Object.entries(migrationsFor(engine.name, 5)).entries()) {
      await step.up(tx)
      if (index === 0) await fill(tx)
      await work(tx, name)
    }
  })
  await engine.close()
}

it.each([
  ['sqlite', 'sqlite'],
  ['wasm', 'sqlite'],
  ['postgres', 'postgres'],
] as const)('each step has the same effect on %s as when it shipped', async (kind, language) => {
  const parts: string[] = []
  let before: string[] = []
  await afterEachStep(kind, async (tx, name) => {
    const after = [...(await schemaOf[language](tx)), ...(await rowsOf(tx))]
    parts.push(`## ${name}\n`, ...difference(before, after), '')
    before = after
  })
  await expect(parts.join('\n')).toMatchFileSnapshot(`./${language}.golden.md`)
})

it('a step takes nothing away and asks for nothing, so that servers of the version before go on writing', async () => {
  const broken: string[] = []
  let before = new Map<string, ReadonlySet<string>>()
  await afterEachStep('sqlite', async (tx, name) => {
    const tables = await tablesOf(tx)
    const after = new Map(tables.map((one) => [one.name, new Set(one.columns.map((column) => column.name))]))
    for (const [table, columns] of before)
      for (const column of columns)
        if (!after.get(table)?.has(column)) broken.push(`${name} takes ${table}.${column} away`)
    for (const { name: table, columns } of tables)
      for (const { name: column, isNullable, hasDefaultValue } of columns)
        if (before.get(table)?.has(column) === false && !isNullable && !hasDefaultValue)
          broken.push(`${name} asks for ${table}.${column}`)
    before = after
  })
  expect(before.get('disk')?.has('slot')).toBe(true)
  expect(broken).toEqual([])
})

it('rows of an old database are found by the same words as new rows', async () => {
  let [old, now]: string[][] = [[], []]
  await afterEachStep('sqlite', async (tx, name) => {
    if (name !== newest) return
    const words = async () => (await rowsOf(tx)).filter((line) => line.startsWith('searchText '))
    old = await words()
    await tx.deleteFrom('searchText').execute()
    await indexEverything(tx)
    now = await words()
  })
  expect(old).not.toEqual([])
  // If this fails, the words of rows have changed: a new step writes those of all rows again.
  expect(old).toEqual(now)
})

function difference(before: readonly string[], after: readonly string[]): string[] {
  const [old, now] = [new Set(before), new Set(after)]
  const lines = [
    ...before.filter((line) => !now.has(line)).map((line) => `    - ${line}`),
    ...after.filter((line) => !old.has(line)).map((line) => `    + ${line}`),
  ]
  return lines.toSorted()
}

/** Tables of the query builder, and those in which SQLite keeps its full text. */
const isOurs = (name: string) => !/^(kysely_|sqlite_|searchIndex_)/.test(name)

const schemaOf = {
  sqlite: async (tx: Tx) => {
    const db = tx.$extendTables<{ sqlite_master: { name: string; sql: string } }>()
    const rows = await db.selectFrom('sqlite_master').selectAll().where('sql', 'is not', null).execute()
    return rows
      .filter(({ name }) => isOurs(name))
      .flatMap((row) =>
        row.sql
          .replaceAll(/\s+/g, ' ')
          .split(/, (?="\w+" (?:text|bigint|blob|integer)|constraint)/)
          .map((part) => `${row.name}: ${part}`),
      )
  },
  postgres: async (tx: Tx) => {
    const { rows } = await sql<{ name: string; text: string }>`
      select table_name as name, concat_ws(' ', column_name, data_type, collation_name, is_nullable, column_default) as text
        from information_schema.columns where table_schema = 'public'
      union all select tablename, indexdef from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
      union all select tgrelid::regclass::text, pg_get_triggerdef(oid) from pg_trigger
      union all select relname, reloptions::text from pg_class where relnamespace = 'public'::regnamespace and reloptions is not null
      union all select proname, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
      order by 1, 2`.execute(tx)
    return rows.map(({ name, text }) => `${name}: ${text.replaceAll(/\s+/g, ' ')}`)
  },
}

const tablesOf = async (tx: Tx) =>
  (await tx.introspection.getTables()).filter(({ name }) => isOurs(name) && name !== 'searchIndex')

/** All rows without null values, and without the numbers that SQLite's full text needs. */
async function rowsOf(tx: Tx): Promise<string[]> {
  const lines: string[] = []
  for (const { name, columns } of await tablesOf(tx)) {
    const db = tx as unknown as Kysely<Record<string, Row>>
    const names = columns.map((column) => column.name)
    for (const row of await db.selectFrom(name).select(names).execute()) {
      const values = Object.entries(row).filter(
        ([column, value]) => value !== null && !(name === 'searchText' && column === 'seq'),
      )
      lines.push(
        `${name} ${JSON.stringify(Object.fromEntries(values.toSorted(([a], [b]) => (a < b ? -1 : 1))))}`,
      )
    }
  }
  return lines.toSorted()
}

const ipKeys = {
  v4: `4${(0x0a_00_02_0f).toString(16).padStart(32, '0')}`,
  v6: '620010db8000000000001000000000001',
}
/** Rows that differ from the usual one of their table. A table that is not named has one usual row. */
const unusual: Readonly<Record<string, readonly Row[]>> = {
  externalIp: [
    { kind: 'floating', ipKey: ipKeys.v4 },
    { id: 'id-v6', kind: 'floating', ipKey: ipKeys.v6, name: 'six', description: '' },
    { id: 'id-ephemeral', kind: 'ephemeral', ipKey: ipKeys.v4, name: 'id-ephemeral', firstPort: 2 },
  ],
  affinityGroup: [{ kind: 'affinity' }, { id: 'id-anti', kind: 'anti_affinity' }],
  image: [{ scopeId: 'id-project' }, { id: 'id-of-silo', projectId: null, scopeId: 'id-silo' }],
  roleAssignment: [
    { identityType: 'silo_user', identityId: 'id-siloUser' },
    { identityType: 'silo_user', identityId: 'id-gone' },
    { identityType: 'silo_group', identityId: 'id-siloGroup' },
    { identityType: 'silo_group', identityId: 'id-gone' },
  ],
  silo: [{}, { id: 'id-empty', name: 'empty' }],
  usage: [{ id: 'id-silo', cpus: 3, memory: 5, storage: 7 }, { id: 'id-empty' }, { id: 'id-project' }],
  vpcSubnet: [{ ipv4Block: '172.30.0.0/22', ipv6Block: 'fd00:1::/64' }],
}

const textOf = (table: string, column: string): string => {
  if (column === 'id') return `id-${table}`
  if (column.endsWith('Id')) return `id-${column.slice(0, -2)}`
  if (column === 'name') return `Web-007-${table}`
  if (column === 'displayName') return `Ann-Märie O'${table} 042 ann`
  if (column === 'description') return 'Größe 0012, for "all"'
  return `${column}-01`
}

/** Gives every table of the first version a row. */
async function fill(tx: Tx): Promise<void> {
  for (const { name, columns } of await tablesOf(tx))
    for (const row of unusual[name] ?? [{}]) {
      const values = columns.map((column) => {
        const given = row[column.name]
        return given === undefined ? (column.dataType.includes('int') ? 1 : textOf(name, column.name)) : given
      })
      const names = columns.map((column) => sql.ref(column.name))
      await sql`insert into ${sql.table(name)} (${sql.join(names)}) values (${sql.join(values)})`.execute(tx)
    }
}
