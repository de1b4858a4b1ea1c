/** node:sqlite as core's SqliteHandle: one file, write-ahead log, each commit on disk before it is answered. */
import { LRUCache } from 'lru-cache'
import { closeSync, fdatasync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { DatabaseUnusable, type Engine } from '@purlin/core/ports'
import { createCheckpoints, leftToWriters, type LogState } from './checkpoints.ts'
import { explaining, notOnDisk } from './sqlite-errors.ts'
import { createSqliteEngine, type SqliteHooks } from './sqlite.ts'
import type { SqliteHandle } from './sqlite-connection.ts'
import { sqliteCodeOf, systemCodeOf } from './error-codes.ts'

const maxStatements = 500
const syncFile = promisify(fdatasync)

type Values = readonly unknown[]

interface Prepared {
  statement: StatementSync
  /** Reads the rows of a statement that returns some. */
  all: (params: SQLInputValue[]) => Values[]
  /** The number of columns at first. */
  width: number
  /** Makes the object of a row of its values. */
  rowOf: (values: Values) => object
}

/** A statement whose rows arrive as lists, at two thirds of the cost of objects. */
function prepared(db: DatabaseSync, sql: string): Prepared {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  const columns = columnsOf(statement)
  const all = isQuery.test(sql) ? readerOf(statement) : bigintReaderOf(statement)
  return { statement, all, width: columns.length, rowOf: rowMaker(columns) }
}

const isQuery = /^\s*(select|with)\b/i
// Node's error for an integer that a number cannot represent.
const isRounded = (error: unknown) => systemCodeOf(error) === 'ERR_OUT_OF_RANGE'
const exact = (value: unknown) =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value

// The types know only rows that are objects.
const listsOf = (statement: StatementSync, params: SQLInputValue[]) =>
  statement.all(...params) as unknown as Values[]

/** Reads rows with integers as numbers, and again with bigints if one is too large. Most rows have none. */
function readerOf(statement: StatementSync): Prepared['all'] {
  return (params) => {
    try {
      return listsOf(statement, params)
    } catch (error) {
      if (!isRounded(error)) throw error
    }
    statement.setReadBigInts(true)
    try {
      return listsOf(statement, params).map((row) => row.map(exact))
    } finally {
      statement.setReadBigInts(false)
    }
  }
}

/** The same for a statement that changes rows, which must not run twice. */
function bigintReaderOf(statement: StatementSync): Prepared['all'] {
  statement.setReadBigInts(true)
  return (params) => listsOf(statement, params).map((row) => row.map(exact))
}

const columnsOf = (statement: StatementSync): string[] => statement.columns().map(({ name }) => name)

/** One function for each set of columns, so that all their rows have one hidden class. */
function rowMaker(names: readonly string[]): (values: Values) => object {
  const fields = names.map((name, i) => `${JSON.stringify(name)}: values[${i}]`)
  // oxlint-disable-next-line no-implied-eval -- of quoted names of columns only
  return new Function('values', `return { ${fields.join(', ')} }`) as (values: Values) => object
}

function createHandle(path: string, readOnly: boolean): SqliteHandle {
  const db = new DatabaseSync(path, { readOnly, timeout: 10_000 })
  // Commits are synced by `durably`, and the thread of checkpoints moves most of the log before it is that long.
  if (!readOnly)
    db.exec(
      `pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = ${leftToWriters}`,
    )
  db.exec('pragma foreign_keys = off; pragma temp_store = memory; pragma cache_size = -65536')
  const statements = new LRUCache<string, Prepared>({ max: maxStatements })
  const prepare = (sql: string): Prepared => {
    const known = statements.get(sql)
    if (known) return known
    const made = prepared(db, sql)
    statements.set(sql, made)
    return made
  }
  return {
    query(sql, params, returnsRows) {
      const { statement, all, width, rowOf } = prepare(sql)
      const values = params as SQLInputValue[]
      if (!returnsRows) return { rows: [], changes: Number(statement.run(...values).changes) }
      const rows = all(values)
      // `select *` has another meaning once a column was added.
      const isKnown = rows[0] === undefined || rows[0].length === width
      return { rows: rows.map(isKnown ? rowOf : rowMaker(columnsOf(statement))), changes: 0 }
    },
    exec: (sql) => void prepare(sql).statement.run(),
    close: () => db.close(),
    codeOf: sqliteCodeOf,
  }
}

/** The handle of the writer. Commits are synced, and moved from the log into the file, on other threads. */
function durably(path: string, handle: SqliteHandle): SqliteHandle {
  let log: number | undefined
  const checkpoints = createCheckpoints(path)
  return {
    ...handle,
    sync: async () => {
      try {
        // SQLite keeps this file, which the first commit has made, for as long as it is open.
        log ??= openSync(`${path}-wal`, 'r')
        await syncFile(log)
      } catch (error) {
        throw new DatabaseUnusable(notOnDisk, { cause: error })
      }
    },
    checkpoint: () => checkpoints.consider(stateOfLog(handle)),
    close: () => {
      const closed = checkpoints.stop()
      if (log !== undefined) closeSync(log)
      handle.close()
      closed()
    },
  }
}

/** Treats the log as empty if its length is not known. */
function stateOfLog(handle: SqliteHandle): LogState {
  const none = { log: 0, checkpointed: 0 }
  try {
    const { rows } = handle.query('pragma wal_checkpoint(noop)', [], true)
    return (rows as LogState[])[0] ?? none
  } catch {
    return none
  }
}

/** Opens a database file that another process may be writing. Throws DatabaseUnusable, also for a missing file. */
export const openSqliteToRead = (path: string): Engine =>
  explaining(sqliteCodeOf, () => createSqliteEngine({ writer: createHandle(path, true) }))

/** Opens (and makes) the database file; ':memory:' keeps it in memory. Throws StorageFull, DatabaseUnusable. */
export function openSqlite(path: string, hooks: SqliteHooks = {}): Engine {
  return explaining(sqliteCodeOf, () => {
    const writer = createHandle(path, false)
    if (path === ':memory:') return createSqliteEngine({ writer }, hooks)
    return createSqliteEngine({ writer: durably(path, writer), reader: createHandle(path, true) }, hooks)
  })
}
