/** Statements that an engine compiles once: to build and compile one takes longer than SQLite takes to answer it. */
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

let count = 0

/**
 * A statement that each engine builds and compiles when it first runs it. `build` is given the names of the values in
 * place of them, so that its text cannot depend on them. The text may depend on the `variant`: `textOf` names all of it
 * that matters.
 */
export function prepared<V extends Values, R, A extends readonly unknown[] = []>(
  build: (tx: Tx, value: <N extends keyof V & string>(name: N) => V[N], variant: A) => Compilable<R>,
  textOf: (variant: A) => string = (variant) => variant.join(' '),
): (tx: Tx, values: V, ...variant: A) => Promise<R[]> {
  const id = count++
  return (tx, values, ...variant) => {
    const query = tx.compiled(`${id} ${textOf(variant)}`, () =>
      build(tx, (name) => new Parameter(name) as unknown as V[typeof name], variant).compile(),
    ) as CompiledQuery<R>
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

/** The statement that inserts rows which have the same columns in the same order. */
function insertOf(tx: Tx, table: TableName, rows: readonly Values[]): CompiledQuery {
  const names = Object.keys(rows[0] ?? {})
  const query = tx.compiled(`insert ${rows.length} ${table} ${names.join(' ')}`, () => {
    const row = Object.fromEntries(names.map((name) => [name, new Parameter(name)]))
    // The builder cannot know the columns of a table in a variable.
    return tx
      .insertInto(table as 'disk')
      .values(rows.map(() => row) as object[] as Tables['disk'][])
      .compile()
  })
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
