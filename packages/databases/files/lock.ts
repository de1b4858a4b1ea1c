/** Files as locks of processes. */
import { accessSync, constants, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sqliteCodeOf } from '../error-codes.ts'

/** The result code of SQLite for a file that another connection has. */
const busy = 5

/**
 * Takes a file as a lock. The operating system releases it however the process ends, and it works between containers
 * that share a volume, where a file with a process id is meaningless. Throws `inUse` if another process has it.
 */
export function takeLock(path: string, inUse: (cause: unknown) => Error): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    requireFile(path)
    lock = new DatabaseSync(path, { timeout: 0 })
    // No write, so a full volume does not matter.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    throw sqliteCodeOf(error) === busy ? inUse(error) : error
  }
}

/** Throws unless the path is a file that this user may read and write, or does not exist yet. */
export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' })
  accessSync(path, constants.R_OK | constants.W_OK)
}
