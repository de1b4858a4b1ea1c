/** The meaning of SQLite's result codes for core. */
import { DatabaseUnusable, StorageFull, UniqueViolation } from '@purlin/core/ports'
import type { SqliteHandle } from './sqlite-connection.ts'

const uniqueIndex = 2067
const primaryKey = 1555
const full = 13
// The file of the write-ahead log's index could not grow.
const sharedMemorySize = 4874

const damaged = 'the database file is damaged'
export const notOnDisk = 'the volume of the database did not store a write; restart the server once it does'
/** A state that ends only with a restart or a repaired file. */
export const lastingTroubles: readonly string[] = [damaged, notOnDisk]
/** By the code without its extension, the last eight bits. */
const troubles: Record<number, string> = {
  3: 'this user may not use the database file',
  8: 'the database can be read only',
  10: 'the volume of the database cannot be read or written',
  11: damaged,
  14: 'the database file cannot be opened',
  26: 'the file is not a database',
}

/** The error as core knows it; any other as it is. */
function explained(code: number, error: unknown): unknown {
  if (code === uniqueIndex || code === primaryKey) return new UniqueViolation(String(error))
  if (code === full || code === sharedMemorySize) return new StorageFull(String(error), { cause: error })
  const trouble = troubles[code & 0xff]
  return trouble === undefined ? error : new DatabaseUnusable(trouble, { cause: error })
}

/** Does something with SQLite, and throws what core knows. `codeOf` gives the extended result code of an error. */
export function explaining<T>(codeOf: (error: unknown) => number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explained(codeOf(error), error)
  }
}

/** A handle that throws what core knows. */
export const explainingHandle = (handle: SqliteHandle): SqliteHandle => ({
  ...handle,
  query: (...statement) => explaining(handle.codeOf, () => handle.query(...statement)),
  exec: (sql) => explaining(handle.codeOf, () => handle.exec(sql)),
})
