/** Queries that are built once: to build and compile one takes longer than SQLite takes to answer it. */
import type { Compilable, CompiledQuery } from 'kysely'
import { together } from '#/concurrency/together.ts'
import type { TableName, Tables, Tx } from './tables.ts'

/** Stands in a query for a value that is given at each use. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Values = Readonly<Record<string, string | number | null>>

/**
 * Makes a query of what `build` builds for each connection when it is first used. `build` is given the names of the
 * values in place of them, so that its text cannot depend on them.
 */
export function prepared<V extends Values, R>(
  build: (tx: Tx, value: <N extends keyof V & string>(name: N) => V[N]) => Compilable<R>,
): (tx: Tx, values: V) => Promise<R[]> {
  const built = new WeakMap<Tx, CompiledQuery<R>>()
  return async (tx, values) => {
    let query = built.get(tx)
    if (!query) {
      query = build(tx, (name) => new Parameter(name) as unknown as V[typeof name]).compile()
      built.set(tx, query)
    }
    const parameters = query.parameters.map((one) => (one instanceof Parameter ? values[one.name] : one))
    const { rows } = await tx.getExecutor().executeQuery({ ...query, parameters })
    return rows as R[]
  }
}

const inserts = new Map<string, (tx: Tx, values: Values) => Promise<unknown[]>>()

/** Inserts a row. The statement is built once for each table and its columns. */
export async function insertRow<T extends TableName>(tx: Tx, table: T, row: Tables[T]): Promise<void> {
  // The builder cannot know the columns of a table in a variable.
  const values = row as object as Values
  const names = Object.keys(values)
  const shape = `${table} ${names.join(' ')}`
  const known = inserts.get(shape)
  const insert = known ?? prepared<Values, unknown>((on, value) => insertOf(on, table, { names, value }))
  if (!known) inserts.set(shape, insert)
  await insert(tx, values)
}

const mostInOneInsert = 16

/** Inserts rows that have the same columns, with statements for 16, 8, 4, 2 and 1 of them. */
export async function insertRows<T extends TableName>(
  tx: Tx,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  const inserted: Promise<unknown>[] = []
  for (let at = 0, size = mostInOneInsert; at < rows.length;) {
    if (size > rows.length - at) size /= 2
    else {
      inserted.push(insertSome(tx, table, rows.slice(at, at + size)))
      at += size
    }
  }
  await together(inserted)
}

function insertSome<T extends TableName>(tx: Tx, table: T, rows: readonly Tables[T][]): Promise<unknown> {
  const names = Object.keys(rows[0] ?? {})
  const shape = `${rows.length} ${table} ${names.join(' ')}`
  const known = inserts.get(shape)
  const insert =
    known ??
    prepared<Values, unknown>((on, value) => {
      const row = (i: number) => Object.fromEntries(names.map((name) => [name, value(`${name} ${i}`)]))
      const values = rows.map((_, i) => row(i)) as object[] as Tables['disk'][]
      return on.insertInto(table as 'disk').values(values)
    })
  if (!known) inserts.set(shape, insert)
  const values: Record<string, Values[string]> = {}
  for (const [i, row] of (rows as readonly object[] as readonly Values[]).entries())
    for (const name of names) values[`${name} ${i}`] = row[name] ?? null
  return insert(tx, values)
}

function insertOf(
  tx: Tx,
  table: TableName,
  { names, value }: { names: readonly string[]; value: (name: string) => unknown },
): Compilable {
  const row = Object.fromEntries(names.map((name) => [name, value(name)]))
  return tx.insertInto(table as 'disk').values(row as object as Tables['disk'])
}
