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
import {
  createMutex,
  DatabaseUnusable,
  StorageFull,
  type Engine,
  type TableName,
  type Tables,
  type Tx,
} from '@purlin/core/ports'
import { createTableFinder, createWritten } from './query-tables.ts'
import { explainingHandle } from './sqlite-errors.ts'
import { createHealth, type HealthHooks } from './sqlite-health.ts'

export interface SqliteHandle {
  /** Rows of a statement that returns some; `changes` of one that does not. Statements are cached by the handle. */
  query(sql: string, params: readonly unknown[], returnsRows: boolean): { rows: unknown[]; changes: number }
  exec(sql: string): void
  close(): void
  /** The extended result code of an error of SQLite; 0 for any other. */
  codeOf: (error: unknown) => number
}

/** What the engine tells its surroundings. */
export interface SqliteHooks extends HealthHooks {
  /** The storage is full. What this frees can be used by the next transaction. */
  onFull?: () => void
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

// The locks below serialize transactions; within one, each query runs to its end at once.
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
}

// Browsers have one user, and nothing else to let go on.
const platform = globalThis as unknown as {
  setImmediate?: (then: () => void) => void
  performance: { now: () => number }
}
/** Without this a request runs from its arrival to its commit before the next one is even read, and no two would ever share a commit. */
const allArrived = (): Promise<void> =>
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

class Connection implements DatabaseConnection {
  readonly handle: SqliteHandle
  reads: Set<TableName> | undefined
  written = new Set<TableName>()
  readonly #tablesOf = createTableFinder()
  constructor(handle: SqliteHandle) {
    this.handle = handle
  }
  /** What a transaction reads and writes is locked or a snapshot: other work may go on between its statements. */
  executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    return isPassLong() ? allArrived().then(() => this.executeQuery(compiled)) : this.#execute(compiled)
  }
  #execute<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters, query } = compiled
    const returnsRows =
      query.kind === 'SelectQueryNode' || ('returning' in query && query.returning !== undefined)
    const tables = this.#tablesOf(compiled)
    for (const table of tables.written) this.written.add(table)
    if (this.reads) {
      if (query.kind === 'RawNode') throw new Error('raw SQL does not say which tables it reads')
      for (const table of tables.read) this.reads.add(table)
    }
    try {
      const { rows, changes } = this.handle.query(sql, parameters, returnsRows)
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
      createAdapter: () => new Adapter(),
      createDriver: () => driverOf(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new Compiler(),
    },
  })
}

interface Job {
  work: (tx: Tx) => Promise<unknown>
  settle: (outcome: { value: unknown } | { error: unknown }) => void
}
const batchSize = 64
// SQLite answers at once, so that a batch keeps the process from anything else: what is left then waits for the next.
const batchMs = 10

/**
 * Writes that wait at the same time share one commit, each in its own savepoint, and are answered
 * after it: durability costs one sync for all of them. `reader`, a second read-only handle of the
 * same file, lets reads go on beside a write; without it they alternate.
 */
export function createSqliteEngine(
  handles: { writer: SqliteHandle; reader?: SqliteHandle },
  hooks: SqliteHooks = {},
): Engine {
  const writer = new Connection(explainingHandle(handles.writer))
  const reader = handles.reader ? new Connection(explainingHandle(handles.reader)) : writer
  const health = createHealth(hooks)
  const writeTx = builderOf(writer)
  const readTx = handles.reader ? builderOf(reader) : writeTx
  const writeLock = createMutex()
  const readLock = handles.reader ? createMutex() : writeLock
  const queue: Job[] = []
  const { note, ...written } = createWritten()

  async function runBatch(): Promise<void> {
    if (queue.length === 0) return
    await allArrived()
    const jobs = queue.splice(0, batchSize)
    let settled: (() => void)[]
    writer.written = new Set()
    try {
      settled = await runJobs(writer, writeTx, jobs)
    } catch (error) {
      rollback(writer.handle)
      health.failed('write', error)
      if (error instanceof StorageFull) makeRoom(writer.handle, hooks)
      for (const job of jobs) job.settle({ error })
      return
    }
    queue.unshift(...jobs.slice(settled.length))
    if (writer.written.size > 0) health.worked('write')
    note(writer.written)
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
      try {
        const value = await runRead(reader.handle, () => work(readTx))
        health.worked('read')
        return value
      } catch (error) {
        health.failed('read', error)
        throw error
      } finally {
        reader.reads = undefined
      }
    })
  }

  return {
    name: 'sqlite',
    transaction: (mode, work, reads) => (mode === 'read' ? read(work, reads) : write(work)),
    ...written,
    withMigrationConnection: write,
    trouble: health.reason,
    close: () =>
      writeLock(() => {
        handles.reader?.close()
        handles.writer.close()
        return Promise.resolve()
      }),
  }
}

/** Runs reads that see one snapshot. */
async function runRead<T>(handle: SqliteHandle, work: () => Promise<T>): Promise<T> {
  handle.exec('begin')
  try {
    const value = await work()
    handle.exec('commit')
    return value
  } catch (error) {
    rollback(handle)
    throw error
  }
}

/** Commits jobs together, as many as there is time for; returns what settles each. */
async function runJobs(writer: Connection, tx: Tx, jobs: readonly Job[]): Promise<(() => void)[]> {
  const settled: (() => void)[] = []
  const end = platform.performance.now() + batchMs
  writer.handle.exec('begin immediate')
  for (const job of jobs) {
    if (settled.length > 0 && platform.performance.now() >= end) break
    settled.push(await runJob(writer, tx, job))
  }
  writer.handle.exec('commit')
  return settled
}

/** Runs one job of a batch in a savepoint of its own; returns what settles it once the batch is committed. */
async function runJob(writer: Connection, tx: Tx, job: Job): Promise<() => void> {
  const { handle, written } = writer
  handle.exec('savepoint job')
  const before = new Set(written)
  try {
    const value = await job.work(tx)
    handle.exec('release job')
    return () => job.settle({ value })
  } catch (error) {
    // SQLite may have undone the whole transaction: all jobs of the batch fail, none is half done.
    if (error instanceof StorageFull || error instanceof DatabaseUnusable) throw error
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

/** After the storage was full: whatever can be freed, and the log's frames moved to where they can be overwritten. */
function makeRoom(handle: SqliteHandle, { onFull }: SqliteHooks): void {
  onFull?.()
  try {
    handle.exec('pragma wal_checkpoint(passive)')
  } catch {
    // Tried again with the next commits.
  }
}
