/** SQLite behind Kysely, for any runtime that offers the three-method handle below. */
import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type LimitNode,
  type QueryResult,
} from 'kysely'
import { tablesOf, UniqueViolation, type Engine } from './engine.ts'
import type { TableName, Tables, Tx } from './tables.ts'

export interface SqliteHandle {
  /** Rows of a statement that returns some; `changes` of one that does not. Statements are cached by the handle. */
  query(sql: string, params: readonly unknown[], returnsRows: boolean): { rows: unknown[]; changes: number }
  exec(sql: string): void
  close(): void
  /** True if the error says that a unique index refused a row. */
  isUniqueViolation(error: unknown): boolean
}

// SQLite plans by the value of a bound limit and so prepares the statement again at every use.
class Compiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    const value = limit.kind === 'ValueNode' && 'value' in limit ? limit.value : undefined
    this.append('limit ')
    if (typeof value === 'number') this.appendImmediateValue(value)
    else this.visitNode(limit)
  }
}

class Connection implements DatabaseConnection {
  readonly handle: SqliteHandle
  reads: Set<TableName> | undefined
  written = new Set<TableName>()
  constructor(handle: SqliteHandle) {
    this.handle = handle
  }
  executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters, query } = compiled
    const returnsRows =
      query.kind === 'SelectQueryNode' || ('returning' in query && query.returning !== undefined)
    const tables = tablesOf(sql)
    for (const table of tables.written) this.written.add(table)
    if (this.reads) for (const table of tables.read) this.reads.add(table)
    try {
      const { rows, changes } = this.handle.query(sql, parameters, returnsRows)
      return Promise.resolve({ rows: rows as R[], numAffectedRows: BigInt(changes) })
    } catch (error) {
      return Promise.reject(this.handle.isUniqueViolation(error) ? new UniqueViolation(String(error)) : error)
    }
  }
  // oxlint-disable-next-line require-yield -- the port demands a generator; SQLite here never streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    await Promise.reject(new Error('streaming is not offered'))
  }
}

const nothing = () => Promise.resolve()

// Transactions are ours (below); Kysely sees one connection that is always in one.
function driverOf(connection: Connection): Driver {
  return {
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  }
}

function builderOf(connection: Connection): Tx {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driverOf(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new Compiler(),
    },
  })
}

/** Lets one task at a time through, in order. */
function createLock(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const mine = last.then(task)
    last = mine.catch(() => undefined)
    return mine
  }
}

interface Job {
  work: (tx: Tx) => Promise<unknown>
  settle: (outcome: { value: unknown } | { error: unknown }) => void
}
const batchSize = 64

// Without this turn of the event loop a request runs from its arrival to its commit before the next one
// is even read, and no two would ever share a commit. Browsers have one user and do not need it.
const platform = globalThis as unknown as { setImmediate?: (then: () => void) => void }
const allArrived = (): Promise<void> =>
  new Promise((resolve) => (platform.setImmediate ? platform.setImmediate(resolve) : resolve()))

/**
 * Writes that wait at the same time share one commit, each in its own savepoint, and are answered
 * after it: durability costs one sync for all of them. `reader`, a second read-only handle of the
 * same file, lets reads go on beside a write; without it they take turns.
 */
export function createSqliteEngine(handles: { writer: SqliteHandle; reader?: SqliteHandle }): Engine {
  const writer = new Connection(handles.writer)
  const reader = handles.reader ? new Connection(handles.reader) : writer
  const writeTx = builderOf(writer)
  const readTx = handles.reader ? builderOf(reader) : writeTx
  const writeLock = createLock()
  const readLock = handles.reader ? createLock() : writeLock
  const versions = new Map<TableName, number>()
  const queue: Job[] = []
  let commits = 0

  async function runBatch(): Promise<void> {
    if (queue.length === 0) return
    await allArrived()
    const jobs = queue.splice(0, batchSize)
    const settled: (() => void)[] = []
    writer.written = new Set()
    try {
      handles.writer.exec('begin immediate')
      for (const job of jobs) settled.push(await runJob(writer, writeTx, job))
      handles.writer.exec('commit')
    } catch (error) {
      rollback(handles.writer)
      for (const job of jobs) job.settle({ error })
      return
    }
    if (writer.written.size > 0) commits++
    for (const table of writer.written) versions.set(table, (versions.get(table) ?? 0) + 1)
    for (const settle of settled) settle()
  }

  function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      queue.push({
        work,
        settle: (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T)),
      })
      void writeLock(runBatch)
    })
  }

  function read<T>(work: (tx: Tx) => Promise<T>, reads?: Set<TableName>): Promise<T> {
    return readLock(async () => {
      reader.reads = reads
      reader.handle.exec('begin')
      try {
        return await work(readTx)
      } finally {
        reader.reads = undefined
        reader.handle.exec('commit')
      }
    })
  }

  return {
    name: 'sqlite',
    transaction: (mode, work, reads) => (mode === 'read' ? read(work, reads) : write(work)),
    changes: { commits: () => commits, version: (table) => versions.get(table) ?? 0 },
    close: () =>
      writeLock(() => {
        handles.reader?.close()
        handles.writer.close()
        return Promise.resolve()
      }),
  }
}

/** Runs one job of a batch in a savepoint of its own; returns what answers it once the batch is committed. */
async function runJob(writer: Connection, tx: Tx, job: Job): Promise<() => void> {
  const { handle, written } = writer
  handle.exec('savepoint job')
  const before = new Set(written)
  try {
    const value = await job.work(tx)
    handle.exec('release job')
    return () => job.settle({ value })
  } catch (error) {
    handle.exec('rollback to job')
    handle.exec('release job')
    writer.written = before
    return () => job.settle({ error })
  }
}

function rollback(handle: SqliteHandle): void {
  try {
    handle.exec('rollback')
  } catch {
    // The failing statement may have ended the transaction itself.
  }
}
