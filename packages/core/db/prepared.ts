/** Queries that are built once: to build and compile one takes longer than SQLite takes to answer it. */
import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import { together } from '#/concurrency/together.ts'
import type { TableName, Tables, Tx } from './tables.ts'

/** A placeholder in a query for a value that each use supplies. */
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
  return (tx, values) => {
    let query = built.get(tx)
    if (!query) {
      query = build(tx, (name) => new Parameter(name) as unknown as V[typeof name]).compile()
      built.set(tx, query)
    }
    const parameters: unknown[] = []
    for (const one of query.parameters) parameters.push(one instanceof Parameter ? values[one.name] : one)
    return tx.getExecutor().executeQuery<R>(withParameters(query, parameters)).then(rowsOf)
  }
}

const rowsOf = <R>({ rows }: QueryResult<R>): R[] => rows

const withParameters = <R>(
  { query, queryId, sql }: CompiledQuery<R>,
  parameters: readonly unknown[],
): CompiledQuery<R> => ({ query, queryId, sql, parameters })

/** A statement that inserts this many rows with these columns, for each connection that has used it. */
interface Insert {
  names: readonly string[]
  count: number
  built: WeakMap<Tx, CompiledQuery>
}
const inserts = new Map<TableName, Insert[]>()

function insertFor(table: TableName, names: readonly string[], count: number): Insert {
  const all = inserts.get(table) ?? []
  const known = all.find(
    (one) =>
      one.count === count &&
      one.names.length === names.length &&
      names.every((name, i) => name === one.names[i]),
  )
  if (known) return known
  const made: Insert = { names, count, built: new WeakMap() }
  inserts.set(table, [...all, made])
  return made
}

/** The statement that inserts rows which have the same columns in the same order. It is built once. */
function insertOf(tx: Tx, table: TableName, rows: readonly Values[]): CompiledQuery {
  const { names, count, built } = insertFor(table, Object.keys(rows[0] ?? {}), rows.length)
  let query = built.get(tx)
  if (!query) {
    const row = Object.fromEntries(names.map((name) => [name, new Parameter(name)]))
    const values = Array.from({ length: count }, () => row) as object[] as Tables['disk'][]
    // The builder cannot know the columns of a table in a variable.
    query = tx
      .insertInto(table as 'disk')
      .values(values)
      .compile()
    built.set(tx, query)
  }
  const parameters: Values[string][] = []
  for (const row of rows) for (const name of names) parameters.push(row[name] ?? null)
  return withParameters(query, parameters)
}

const mostInOneInsert = 16

/** The statements that insert rows which have the same columns: of 16, 8, 4, 2 and 1 of them. */
function insertsOf(tx: Tx, table: TableName, rows: readonly object[]): CompiledQuery[] {
  const queries: CompiledQuery[] = []
  for (let at = 0, size = mostInOneInsert; at < rows.length;) {
    if (size > rows.length - at) size /= 2
    else {
      queries.push(insertOf(tx, table, rows.slice(at, at + size) as Values[]))
      at += size
    }
  }
  return queries
}

const run = (tx: Tx, query: CompiledQuery): Promise<unknown> => tx.getExecutor().executeQuery(query)

/** Inserts a row. */
export const insertRow = <T extends TableName>(tx: Tx, table: T, row: Tables[T]): Promise<unknown> =>
  run(tx, insertOf(tx, table, [row as object as Values]))

/** Inserts rows that have the same columns. */
export const insertRows = <T extends TableName>(
  tx: Tx,
  table: T,
  rows: readonly Tables[T][],
): Promise<unknown> => together(insertsOf(tx, table, rows).map((query) => run(tx, query)))
