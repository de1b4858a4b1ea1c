/** SQLite as an engine: transactions on its connections. */
import {
  createMutex,
  DatabaseUnusable,
  StorageFull,
  createPipeline,
  type Engine,
  type Locked,
  type TableName,
  type TransactionWork,
  type Tx,
} from '@purlin/core/ports'
import { createCompiled } from './builder.ts'
import { createDurability, type Durability } from './durability.ts'
import { createWritten } from './query-tables.ts'
import { allArrived, Connection, platform, type SqliteHandle } from './sqlite-connection.ts'
import { explainingHandle } from './sqlite-errors.ts'
import { createHealth, type Health, type HealthHooks } from './sqlite-health.ts'

/** Callbacks of the engine. */
export interface SqliteHooks extends HealthHooks {
  /** The storage is full. What this frees can be used by the next transaction. */
  onFull?: () => void
}

const nothing = () => Promise.resolve()

type Outcome = { value: unknown } | { error: unknown }
interface Job {
  work: TransactionWork<unknown>
  settle: (outcome: Outcome) => void
}
const batchSize = 64
// SQLite answers synchronously, so a batch blocks the process. The rest of a long one waits for the next batch.
const batchMs = 10
// After a batch that had to be run again: more of the same may follow.
const batchesWithSavepoints = 8

/** The common part of both kinds of transactions. */
interface Parts {
  disk: Durability
  health: Health
  hooks: SqliteHooks
  /** Reports a commit that has written these tables. */
  note: (tables: ReadonlySet<TableName>) => void
}

/**
 * Writes that wait at the same time share one commit, and are answered once it is on disk. So durability costs one
 * sync for all of them, and the next ones run during it. If one of them has to be rolled back, all are, and run again
 * with a savepoint for each. Savepoints cost a tenth of a create and are rarely needed.
 */
function createWrites(writer: Connection, { disk, health, hooks, note }: Parts) {
  const lock = createMutex()
  const queue: Job[] = []
  let leftWithSavepoints = 0

  /** Commits jobs together; returns how each ended, of as many as there was time for. */
  async function commit(jobs: readonly Job[]): Promise<Outcome[]> {
    writer.written = new Set()
    writer.mayHaveWritten = false
    const outcomes = await runJobs(writer, jobs, leftWithSavepoints > 0)
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

  /** Answers jobs once their writes, and the commits that they read, are on disk. */
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

  function write<T>(work: TransactionWork<T>): Promise<T> {
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
function createReads(reader: Connection, { lock, disk, health }: Parts & { lock: Locked }) {
  return async function read<T>(work: TransactionWork<T>, reads?: Set<TableName>): Promise<T> {
    try {
      const value = await lock(async () => {
        reader.reads = reads
        try {
          return await runRead(reader.handle, () => runWork(reader.tx, work))
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
 * An engine on `writer`, the only handle that writes the database. `reader`, a second read-only handle of the same
 * file, lets reads run during a write; without it they alternate.
 */
export function createSqliteEngine(
  handles: { writer: SqliteHandle; reader?: SqliteHandle },
  hooks: SqliteHooks = {},
): Engine {
  const compiled = createCompiled()
  const writer = new Connection(explainingHandle(handles.writer), compiled)
  const health = createHealth(hooks)
  const { note, ...written } = createWritten()
  const disk = createDurability(writer.handle.sync ?? nothing)
  const parts = { disk, health, hooks, note }
  const { write, lock } = createWrites(writer, parts)
  const reader = handles.reader ? new Connection(explainingHandle(handles.reader), compiled) : writer
  const read = createReads(reader, { ...parts, lock: handles.reader ? createMutex() : lock })
  return {
    name: 'sqlite',
    readsAtOnce: 1,
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

/**
 * Commits as many jobs together as there is time for, and returns how each ended. Undefined if a job without a
 * savepoint has to be rolled back after others have changed something: then nothing is committed.
 */
async function runJobs(
  writer: Connection,
  jobs: readonly Job[],
  hasSavepoints: boolean,
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
    const outcome = await runJob(writer, job)
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

async function runJob(writer: Connection, job: Job): Promise<JobOutcome> {
  const written = new Set(writer.written)
  const { changes, tx } = writer
  try {
    return { value: await runWork(tx, job.work) }
  } catch (error) {
    if (failsForAll(error)) throw error
    writer.written = written
    return { error, hasChanged: writer.changes !== changes }
  }
}

/** Does work and waits for its last statement, also if it fails: the statement must not run in the next transaction. */
async function runWork<T>(tx: Tx, work: TransactionWork<T>): Promise<T> {
  const pipeline = createPipeline()
  try {
    const value = await work(tx, pipeline.add)
    await pipeline.last()
    return value
  } catch (error) {
    await pipeline.last()?.catch(() => undefined)
    throw error
  }
}

/** SQLite may have undone the whole transaction: all jobs of the batch fail, none is half done. */
const failsForAll = (error: unknown): boolean =>
  error instanceof StorageFull || error instanceof DatabaseUnusable

function rollback(handle: SqliteHandle): void {
  try {
    handle.exec('rollback')
  } catch {
    // The failing statement may have ended the transaction itself.
  }
}

/**
 * After the storage was full: frees all possible space, and moves the log's frames so that they can be overwritten.
 */
function makeRoom(handle: SqliteHandle, { onFull }: SqliteHooks): void {
  onFull?.()
  try {
    handle.exec('pragma wal_checkpoint(passive)')
  } catch {
    // Tried again with the next commits.
  }
}
