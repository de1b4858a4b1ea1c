/**
 * Rows that nothing in their transaction reads: an engine whose transactions share a commit inserts those of all of them
 * together, just before it. The full text of SQLite is then written once for all, not once for each.
 */
import { insertRow } from './prepared.ts'
import type { TableName, Tables, Tx } from './tables.ts'

const tables = ['auditPending', 'searchText'] as const satisfies TableName[]
/** The tables of such rows, in the order in which they are inserted: the next statement would flush full text. */
export const laterTables: readonly TableName[] = tables

export interface LaterRow {
  table: TableName
  row: object
}
const lists = new WeakMap<Tx, LaterRow[]>()
const nothing = Promise.resolve()

/** Inserts a row, at the latest with the commit. It then fails as the commit would. */
export function insertLater<T extends (typeof tables)[number]>(
  tx: Tx,
  table: T,
  row: Tables[T],
): Promise<unknown> {
  const list = lists.get(tx)
  if (!list) return insertRow(tx, table, row)
  list.push({ table, row })
  return nothing
}

/** For engines: collects these rows of all transactions of `tx` from here on. Returns those that are not inserted yet. */
export function collectLater(tx: Tx): LaterRow[] {
  const list: LaterRow[] = []
  lists.set(tx, list)
  return list
}
