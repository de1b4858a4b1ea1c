/** Core's port to a database: serializable transactions, and the tables that they read and write. */
import type { TableName, Tx } from './tables.ts'

/** The kind of a transaction: `append` writes rows that no other write reads, such as those of a log. */
export type TransactionMode = 'read' | 'write' | 'append'

/** Comes as a message when some may have got lost, because this server or another one was cut off for a time. */
export const missedMessages = 'missed'

/**
 * Marks a statement that was just sent as the last one of its transaction: the commit is sent with it, and fails if the
 * statement fails.
 */
export type PipelineWithCommit = (statement: Promise<unknown>) => void

/** The work of a transaction. */
export type TransactionWork<T> = (tx: Tx, pipelineWithCommit: PipelineWithCommit) => Promise<T>

/** A transaction that an engine has begun. */
export interface Begun {
  readonly tx: Tx
  readonly pipelineWithCommit: PipelineWithCommit
}

export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  /**
   * Runs `work` in one transaction and commits it; any throw rolls back. Writes are serializable. `work` runs again
   * after a conflict, so it must do only database work. Reads see one snapshot. `reads`, if given, collects the
   * tables that were read. Throws UniqueViolation, Contention, StorageFull, DatabaseUnavailable, OutcomeUnknown. The
   * transaction waits for the statement that `work` passed to `pipelineWithCommit`.
   */
  transaction<T>(mode: TransactionMode, work: TransactionWork<T>, reads?: Set<TableName>): Promise<T>
  /** The number of read-only transactions that run at the same time. */
  readonly readsAtOnce: number
  /**
   * Runs a transaction that others wait for before they begin theirs, on a connection that none of them uses. Undefined
   * where writes never run at the same time.
   */
  readonly independentTransaction?: Engine['transaction']
  /**
   * For caches: the number of commits, and of changes of each table. Undefined if other processes may write the same
   * database: then nothing may be cached.
   */
  readonly changes?: { commits(): number; version(table: TableName): number }
  /**
   * Calls `on` after each commit of this process that has written, with the tables. A commit whose outcome is unknown
   * counts. Returns what ends the calls.
   */
  onWritten(on: (tables: ReadonlySet<TableName>) => void): () => void
  /**
   * Short messages to the other servers of this database, which may get lost: then `missedMessages` comes as soon as the
   * connection is back. Undefined where there are no others.
   */
  readonly messages?: { send(message: string): void; listen(onMessage: (message: string) => void): void }
  /**
   * For the migrator of the schema: one connection on which it takes its own lock and begins its own
   * transaction. Where the schema changes in any transaction (SQLite), all of `work` is one.
   */
  withMigrationConnection<T>(work: (db: Tx) => Promise<T>): Promise<T>
  /** False while a server of a version that knows no leases of hosts drives them all. Undefined where there are no others. */
  readonly mayDrive?: () => boolean
  /** Why the database cannot be used, for people; undefined while it can, as far as is known. */
  trouble?(): string | undefined
  close(): Promise<void>
}

/**
 * Runs `work`, which records the tables it reads. If no other process writes this database, `fresh` returns
 * true while its result is current: no table it has read has changed since.
 */
export async function traced<T>(
  { changes }: Engine,
  work: (reads: Set<TableName>) => Promise<T>,
): Promise<{ value: T; fresh?: () => boolean }> {
  const reads = new Set<TableName>()
  const before = changes?.commits()
  const value = await work(reads)
  // After a commit in between, the versions no longer belong to the snapshot that was read.
  if (!changes || changes.commits() !== before) return { value }
  const seen = [...reads].map((table) => [table, changes.version(table)] as const)
  return { value, fresh: () => seen.every(([table, version]) => changes.version(table) === version) }
}

/** A row violates a unique index, which the message identifies by name or by its columns. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
  /** True for an index of names: `disk.projectId, disk.name`, `disk_projectId_name`. */
  get isOfName(): boolean {
    return /[._]name\W*$/.test(this.message)
  }
}

/** The transaction kept conflicting with others; a later attempt may succeed. */
export class Contention extends Error {
  override name = 'Contention'
}

/** The database does not answer or accepts no work. Nothing was stored; a later attempt may succeed. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The database can be read only, or is damaged: the message says which, for people. It may be mended. */
export class DatabaseUnusable extends DatabaseUnavailable {
  override name = 'DatabaseUnusable'
}

/** The storage of rows or bytes is full. Stored data is intact. */
export class StorageFull extends Error {
  override name = 'StorageFull'
}

/** The connection broke during the commit: the transaction was stored completely, or not at all. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'
}

/** True for failures that the engine has reported itself, and that end without anybody's help. */
export const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof OutcomeUnknown
