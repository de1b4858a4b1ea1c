/** What core asks of a database: serializable transactions, and which tables they touched. */
import type { TableName, Tx } from './tables.ts'

export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  /**
   * Runs `work` in one serializable transaction and commits it; any throw rolls back. It is run again
   * after a conflict, so it must do nothing but database work. Reads see one snapshot. `reads`, if
   * given, collects the tables that were read. Throws UniqueViolation.
   */
  transaction<T>(mode: 'read' | 'write', work: (tx: Tx) => Promise<T>, reads?: Set<TableName>): Promise<T>
  /**
   * For caches: how many commits there were, and how often a table was changed. Undefined where other
   * processes may write the same database, and then nothing may be remembered.
   */
  readonly changes?: { commits(): number; version(table: TableName): number }
  close(): Promise<void>
}

/**
 * Runs `work`, which notes the tables it reads. Where nobody else writes this database, `fresh` says
 * whether its answer still holds: no table it has read has changed since.
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

/** A unique index refused a row. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
}

/** Competing transactions kept refusing this one; trying again later may succeed. */
export class Contention extends Error {
  override name = 'Contention'
}

const tablesBySql = new Map<string, { written: TableName[]; read: TableName[] }>()

/** The tables that a statement of ours writes and reads. Our query builder quotes every name. */
export function tablesOf(statement: string): { written: TableName[]; read: TableName[] } {
  const known = tablesBySql.get(statement)
  if (known) return known
  const find = (pattern: RegExp) => [...statement.matchAll(pattern)].map((m) => m[1] as TableName)
  const written = find(/(?:insert into|update|delete from|table) "(\w+)"/g)
  const read = find(/(?:from|join) "(\w+)"/g)
  const found = { written, read }
  // Statements with long value lists differ by length; they must not fill the memory.
  if (tablesBySql.size > 5000) tablesBySql.clear()
  tablesBySql.set(statement, found)
  return found
}
