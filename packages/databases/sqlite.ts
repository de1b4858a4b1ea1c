/** SQLite behind Kysely, for any runtime that offers the three-method handle below. */
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
import {
  createMutex,
  DatabaseUnusable,
  StorageFull,
  takeLast,
  type Engine,
  type Locked,
  type TableName,
  type Tx,
} from '@purlin/core/ports'
import { builderOn } from './builder.ts'
import { createTableFinder, createWritten } from './query-tables.ts'
import { createDurability, type Durability } from './durability.ts'
import { explainingHandle } from './sqlite-errors.ts'
import { createHealth, type Health, type HealthHooks } from './sqlite-health.ts'

export interface SqliteHandle {
  /** Rows of a statement that returns some; `changes` of one that does not. Statements are cached by the handle. */
  query(sql: string, params: readonly unknown[], returnsRows: boolean): { rows: unknown[]; changes: number }
  exec(sql: string): void
  close(): void
  /** Where a commit alone is not yet durable: resolves when all commits before the call are. */
  sync?: () => Promise<void>
  /**
   * Has the write-ahead log moved into the file, if it is time: called after commits. Returns what the next one is to wait
   * for, if the log has become too long.
   */
  checkpoint?: () => Promise<void> | undefined
  /** The extended result code of an error of SQLite; 0 for any other. */
  codeOf: (error: unknown) => number
}

/** What the engine tells its surroundings. */
export interface SqliteHooks extends HealthHooks {
  /** The storage is full. What this frees can be used by the next transaction. */
  onFull?: () => void
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
  /** True once something else than a query was run: also what says of no table that it is written. */
  mayHaveWritten = false
  /** Counts statements that have changed something. */
  changes = 0
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
    const isQuery = query.kind === 'SelectQueryNode'
    const returnsRows = isQuery || ('returning' in query && query.returning !== undefined)
    if (!isQuery) this.mayHaveWritten = true
    const tables = this.#tablesOf(compiled)
    for (const table of tables.written) this.written.add(table)
    if (this.reads) {
      if (query.kind === 'RawNode') throw new Error('raw SQL does not say which tables it reads')
      for (const table of tables.read) this.reads.add(table)
    }
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

const nothing = () => Promise.resolve()

const dialect = {
  createAdapter: () => new Adapter(),
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  createQueryCompiler: () => new Compiler(),
}

type Outcome = { value: unknown } | { error: unknown }
interface Job {
  work: (tx: Tx) => Promise<unknown>
  settle: (outcome: Outcome) => void
}
const batchSize = 64
// SQLite answers at once, so that a batch keeps the process from anything else: what is left then waits for the next.
const batchMs = 10
// After a batch that had to be run again: more of the same may follow.
const batchesWithSavepoints = 8

/** What both kinds of transactions share. */
interface Parts {
  disk: Durability
  health: Health
  hooks: SqliteHooks
  /** Tells of a commit that has written these tables. */
  note: (tables: ReadonlySet<TableName>) => void
}

/**
 * Writes that wait at the same time share one commit, and are answered once that is on disk: durability costs one sync
 * for all of them, and the next ones run meanwhile. If one of them has to be undone, all are, and run again with a
 * savepoint for each: savepoints cost a tenth of a create and are seldom needed.
 */
function createWrites(writer: Connection, tx: Tx, { disk, health, hooks, note }: Parts) {
  const lock = createMutex()
  const queue: Job[] = []
  let leftWithSavepoints = 0

  /** Commits jobs together; returns how each ended, of as many as there was time for. */
  async function commit(jobs: readonly Job[]): Promise<Outcome[]> {
    writer.written = new Set()
    writer.mayHaveWritten = false
    const outcomes = await runJobs(writer, tx, { jobs, hasSavepoints: leftWithSavepoints > 0 })
    if (leftWithSavepoints > 0) leftWithSavepoints--
    if (outcomes) return outcomes
    rollback(writer.handle)
    leftWithSavepoints = batchesWithSavepoints
    return commit(jobs)
  }

  async function runBatch(): Promise<void> {
    if (queue.length === 0) return
    await allArrived()
    const jobs = queue.splice(0, batchSize)
    let outcomes: Outcome[]
    try {
      disk.check()
      outcomes = await commit(jobs)
    } catch (error) {
      rollback(writer.handle)
      health.failed('write', error)
      if (error instanceof StorageFull) makeRoom(writer.handle, hooks)
      for (const job of jobs) job.settle({ error })
      return
    }
    queue.unshift(...jobs.slice(outcomes.length))
    if (writer.written.size > 0) health.worked('write')
    if (writer.mayHaveWritten && writer.handle.sync) disk.committed()
    note(writer.written)
    void settle(jobs, outcomes)
    if (writer.mayHaveWritten) await writer.handle.checkpoint?.()
  }

  /** Answers jobs once what they have done, or seen, is on disk. */
  async function settle(jobs: readonly Job[], outcomes: readonly Outcome[]): Promise<void> {
    let failure: { error: unknown } | undefined
    try {
      await disk.reached()
    } catch (error) {
      health.failed('write', error)
      failure = { error }
    }
    for (const [i, outcome] of outcomes.entries()) jobs[i]?.settle(failure ?? outcome)
  }

  function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      queue.push({
        work,
        settle: (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T)),
      })
      void lock(runBatch)
    })
  }

  return { write, lock }
}

/** Reads one after another. What one has seen is on disk before it is answered. */
function createReads(reader: Connection, tx: Tx, { lock, disk, health }: Parts & { lock: Locked }) {
  return async function read<T>(work: (tx: Tx) => Promise<T>, reads?: Set<TableName>): Promise<T> {
    try {
      const value = await lock(async () => {
        reader.reads = reads
        try {
          return await runRead(reader.handle, () => work(tx))
        } finally {
          reader.reads = undefined
        }
      })
      const onDisk = disk.reached()
      if (onDisk) await onDisk
      health.worked('read')
      return value
    } catch (error) {
      health.failed('read', error)
      throw error
    }
  }
}

/**
 * An engine on `writer`, which is the only one that writes the database. `reader`, a second read-only handle of the
 * same file, lets reads go on beside a write; without it they alternate.
 */
export function createSqliteEngine(
  handles: { writer: SqliteHandle; reader?: SqliteHandle },
  hooks: SqliteHooks = {},
): Engine {
  const writer = new Connection(explainingHandle(handles.writer))
  const writeTx = builderOn(writer, dialect)
  const health = createHealth(hooks)
  const { note, ...written } = createWritten()
  const disk = createDurability(writer.handle.sync ?? nothing)
  const parts = { disk, health, hooks, note }
  const { write, lock } = createWrites(writer, writeTx, parts)
  const reader = handles.reader ? new Connection(explainingHandle(handles.reader)) : writer
  const readTx = handles.reader ? builderOn(reader, dialect) : writeTx
  const read = createReads(reader, readTx, { ...parts, lock: handles.reader ? createMutex() : lock })
  return {
    name: 'sqlite',
    transaction: (mode, work, reads) => (mode === 'read' ? read(work, reads) : write(work)),
    ...written,
    withMigrationConnection: write,
    trouble: health.reason,
    close: () =>
      lock(async () => {
        await disk.reached()?.catch(() => {})
        handles.reader?.close()
        handles.writer.close()
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

type JobOutcome = { value: unknown } | { error: unknown; hasChanged: boolean }
interface Batch {
  jobs: readonly Job[]
  hasSavepoints: boolean
}

/**
 * Commits jobs together, as many as there is time for; returns how each ended. Undefined, with nothing committed, if one
 * that has no savepoint has to be undone after others have changed something.
 */
async function runJobs(
  writer: Connection,
  tx: Tx,
  { jobs, hasSavepoints }: Batch,
): Promise<Outcome[] | undefined> {
  const { handle } = writer
  const outcomes: Outcome[] = []
  const end = platform.performance.now() + batchMs
  handle.exec('begin immediate')
  let atBegin = writer.changes
  for (const job of jobs) {
    if (outcomes.length > 0 && platform.performance.now() >= end) break
    const isFirst = writer.changes === atBegin
    if (hasSavepoints) handle.exec('savepoint job')
    const outcome = await runJob(writer, tx, job)
    if ('error' in outcome && outcome.hasChanged) {
      if (!hasSavepoints && !isFirst) return undefined
      undo(handle, hasSavepoints)
      atBegin = writer.changes
    }
    if (hasSavepoints) handle.exec('release job')
    outcomes.push(outcome)
  }
  handle.exec('commit')
  return outcomes
}

/** Takes back what the last job, or all of the transaction, has changed. */
function undo(handle: SqliteHandle, hasSavepoint: boolean): void {
  if (hasSavepoint) return handle.exec('rollback to job')
  handle.exec('rollback')
  handle.exec('begin immediate')
}

async function runJob(writer: Connection, tx: Tx, job: Job): Promise<JobOutcome> {
  const written = new Set(writer.written)
  const { changes } = writer
  try {
    const value = await job.work(tx)
    await takeLast(tx)
    return { value }
  } catch (error) {
    void takeLast(tx)
    // SQLite may have undone the whole transaction: all jobs of the batch fail, none is half done.
    if (error instanceof StorageFull || error instanceof DatabaseUnusable) throw error
    writer.written = written
    return { error, hasChanged: writer.changes !== changes }
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
