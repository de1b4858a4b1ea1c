/** SQLite as WebAssembly, in memory, as core's SqliteHandle: the database of the preview. */
import { LRUCache } from 'lru-cache'
import sqlite3InitModule, { type Database, type Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { Engine } from '@purlin/core/ports'
import { createSqliteEngine } from './sqlite.ts'
import type { SqliteHandle } from './sqlite-connection.ts'

const maxStatements = 500
const silent = () => undefined

let library: ReturnType<typeof sqlite3InitModule> | undefined

/** An engine whose database can be taken out of memory. */
export interface WasmEngine extends Engine {
  /** The content of the database, in SQLite's file format. */
  serialize(): Uint8Array
}

/** Opens a database that lives as long as the page: an empty one, or one with this content. */
export async function openWasm(content?: Uint8Array): Promise<WasmEngine> {
  // Its hooks write to the browser's console, which is the user's.
  Object.assign(globalThis, { sqlite3ApiConfig: { warn: silent, error: silent } })
  const sqlite = await (library ??= sqlite3InitModule())
  const db = new sqlite.oo1.DB(':memory:', 'c')
  if (content) fill(sqlite, db, content)
  type Statement = ReturnType<typeof db.prepare>
  const statements = new LRUCache<string, { statement: Statement; columns: string[] }>({
    max: maxStatements,
    dispose: ({ statement }) => void statement.finalize(),
  })

  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known) return known
    const statement = db.prepare(sql)
    const made = { statement, columns: statement.columnCount > 0 ? statement.getColumnNames() : [] }
    statements.set(sql, made)
    return made
  }

  const handle: SqliteHandle = {
    query(sql, params, returnsRows) {
      const { statement, columns } = prepare(sql)
      try {
        if (params.length) statement.bind(params as (string | number | null)[])
        const rows: Record<string, unknown>[] = []
        while (statement.step()) {
          const values = statement.get([])
          rows.push(Object.fromEntries(columns.map((column, i) => [column, values[i]])))
        }
        return { rows: returnsRows ? rows : [], changes: returnsRows ? 0 : db.changes() }
      } finally {
        statement.reset(true)
      }
    },
    exec: (sql) => void db.exec(sql),
    close: () => db.close(),
    codeOf: (error) => (error instanceof sqlite.SQLite3Error ? error.resultCode : 0),
  }
  return {
    ...createSqliteEngine({ writer: handle }),
    serialize: () => sqlite.capi.sqlite3_js_db_export(db),
  }
}

function fill({ capi, wasm }: Sqlite3Static, db: Database, content: Uint8Array): void {
  const { SQLITE_DESERIALIZE_FREEONCLOSE, SQLITE_DESERIALIZE_RESIZEABLE } = capi
  const flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE
  const size = content.byteLength
  db.checkRc(capi.sqlite3_deserialize(db, 'main', wasm.allocFromTypedArray(content), size, size, flags))
}
