/** node:sqlite as core's SqliteHandle: one file, write-ahead log, synchronous FULL. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Engine } from '@purlin/core/ports'
import { explaining } from './sqlite-errors.ts'
import { createSqliteEngine, type SqliteHandle, type SqliteHooks } from './sqlite.ts'

const statementsKept = 500
const codeOf = (error: unknown): number => (error as { errcode?: number }).errcode ?? 0

function createHandle(path: string, readOnly: boolean): SqliteHandle {
  const db = new DatabaseSync(path, { readOnly, timeout: 10_000 })
  if (!readOnly)
    db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 8000')
  db.exec('pragma foreign_keys = off; pragma temp_store = memory; pragma cache_size = -65536')
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= statementsKept) statements.clear()
    const made = db.prepare(sql)
    statements.set(sql, made)
    return made
  }
  return {
    query(sql, params, returnsRows) {
      const statement = prepare(sql)
      const values = params as SQLInputValue[]
      if (returnsRows) return { rows: statement.all(...values), changes: 0 }
      return { rows: [], changes: Number(statement.run(...values).changes) }
    },
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
    codeOf,
  }
}

/** Opens (and makes) the database file; ':memory:' keeps it in memory. Throws StorageFull, DatabaseUnusable. */
export function openSqlite(path: string, hooks: SqliteHooks = {}): Engine {
  return explaining(codeOf, () => {
    const writer = createHandle(path, false)
    const isInMemory = path === ':memory:'
    return createSqliteEngine(isInMemory ? { writer } : { writer, reader: createHandle(path, true) }, hooks)
  })
}
