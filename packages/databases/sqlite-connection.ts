/** A connection to SQLite behind Kysely, for any runtime that offers the handle below. */
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  type LimitNode,
  type QueryResult,
} from 'kysely'
import type { TableName, Tx } from '@purlin/core/ports'
import { builderOn } from './builder.ts'
import { createTableFinder } from './query-tables.ts'

export interface SqliteHandle {
  /** Rows of a statement that returns some; `changes` of one that does not. Statements are cached by the handle. */
  query(sql: string, params: readonly unknown[], returnsRows: boolean): { rows: unknown[]; changes: number }
  exec(sql: string): void
  close(): void
  /** For engines whose commits are not durable immediately: resolves when all commits before the call are. */
  sync?: () => Promise<void>
  /**
   * Has the write-ahead log moved into the file, if it is time: called after commits. Returns what the next one is to wait
   * for, if the log has become too long.
   */
  checkpoint?: () => Promise<void> | undefined
  /** The extended result code of an error of SQLite; 0 for any other. */
  codeOf: (error: unknown) => number
}

// SQLite plans by the value of a bound limit, and so prepares the statement again at every use; not by that of a sum.
class Compiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    const value = limit.kind === 'ValueNode' && 'value' in limit ? limit.value : undefined
    this.append('limit ')
    if (typeof value === 'number') return this.appendImmediateValue(value)
    this.visitNode(limit)
    this.append(' + 0')
  }
}

// The locks below serialize transactions. Within a transaction, each query runs synchronously.
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
}

const dialect = {
  createAdapter: () => new Adapter(),
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  createQueryCompiler: () => new Compiler(),
}

// Browsers have one user, and no other work to yield to.
export const platform = globalThis as unknown as {
  setImmediate?: (then: () => void) => void
  performance: { now: () => number }
}
/** Without this a request runs from its arrival to its commit before the next one is even read, and no two would ever share a commit. */
export const allArrived = (): Promise<void> =>
  new Promise((resolve) => (platform.setImmediate ? platform.setImmediate(resolve) : resolve()))

// How long statements, of whichever transactions, may keep the process from anything else.
const sliceMs = 10
let passBegan: number | undefined

/** True if statements have kept the process busy for long in this pass of the event loop. */
function isPassLong(): boolean {
  if (!platform.setImmediate) return false
  const now = platform.performance.now()
  if (passBegan === undefined) {
    passBegan = now
    platform.setImmediate(() => (passBegan = undefined))
  }
  return now - passBegan > sliceMs
}

/** A handle with the builder that runs on it. */
export class Connection implements DatabaseConnection {
  readonly handle: SqliteHandle
  reads: Set<TableName> | undefined
  written = new Set<TableName>()
  /** True once something else than a query was run: also what says of no table that it is written. */
  mayHaveWritten = false
  /** Counts statements that have changed something. */
  changes = 0
  readonly tx: Tx
  readonly #tablesOf = createTableFinder()
  constructor(handle: SqliteHandle, compiled: Tx['compiled']) {
    this.handle = handle
    this.tx = builderOn(this, { dialect, compiled })
  }
  /** A transaction has a lock or a snapshot, so other work may run between its statements. */
  executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    return isPassLong() ? allArrived().then(() => this.executeQuery(compiled)) : this.#execute(compiled)
  }
  #execute<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters, query } = compiled
    const { read, written } = this.#tablesOf(compiled)
    const isQuery = query.kind === 'SelectQueryNode'
    const returnsRows = isQuery || ('returning' in query && query.returning !== undefined)
    if (this.reads) {
      if (query.kind === 'RawNode') throw new Error('raw SQL does not say which tables it reads')
      for (const table of read) this.reads.add(table)
    }
    if (!isQuery) this.mayHaveWritten = true
    for (const table of written) this.written.add(table)
    try {
      const { rows, changes } = this.handle.query(sql, parameters, returnsRows)
      if (!isQuery && (rows.length + changes > 0 || !countsRows.has(query.kind))) this.changes++
      return Promise.resolve({ rows: rows as R[], numAffectedRows: BigInt(changes) })
    } catch (error) {
      return Promise.reject(error)
    }
  }
  // oxlint-disable-next-line require-yield -- the port demands a generator; SQLite here never streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    await Promise.reject(new Error('streaming is not offered'))
  }
}

// Statements that say how many rows they have changed, or return them.
const countsRows: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])
