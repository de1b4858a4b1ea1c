/** node:sqlite as core's SqliteHandle: one file, write-ahead log, synchronous FULL. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { createSqliteEngine, type SqliteHandle } from '@purlin/core/db/sqlite'
import type { Engine } from '@purlin/core/db/engine'

const uniqueCodes = new Set([2067, 1555])
const statementsKept = 500

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
    isUniqueViolation: (error) => uniqueCodes.has((error as { errcode?: number }).errcode ?? 0),
  }
}

/** Opens (and makes) the database file; ':memory:' keeps it in memory. */
export function openSqlite(path: string): Engine {
  const writer = createHandle(path, false)
  return createSqliteEngine(path === ':memory:' ? { writer } : { writer, reader: createHandle(path, true) })
}
