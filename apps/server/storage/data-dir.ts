/** The folder of the embedded database and of the bytes of disks. */
import { sqliteCodeOf, systemCodeOf } from '@purlin/databases/error-codes'
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { requireFile, startError, StartError } from '../process/start-errors.ts'

export interface DataDir {
  /** path of the database file */
  file: string
  release: () => void
}

/**
 * Makes the folder, readable by its owner only, and takes it for this process. Throws StartError if
 * another server has it, and if it cannot be written.
 */
export function takeDataDir(folder: string): DataDir {
  makeDataDir(folder)
  const file = join(folder, 'purlin.db')
  const lock = takeLock(folder)
  try {
    for (const suffix of ['', '-wal', '-shm']) requireFile(file + suffix)
    return { file, release: () => lock.close() }
  } catch (error) {
    lock.close()
    throw startError.database(file, error)
  }
}

/** Makes the folder, readable by its owner only. Throws StartError if that, or writing into it, is impossible. */
export function makeDataDir(folder: string): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw startError.folder(folder, error)
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    // On a read-only volume, Node says only that the folder does not exist.
    const parent = dirname(resolve(folder))
    if (systemCodeOf(error) === 'ENOENT' && existsSync(parent)) accessSync(parent, constants.W_OK)
    throw error
  }
}

// Result codes of SQLite.
const busy = 5
const full = 13

// The operating system releases this lock however the process ends, and it works between containers that share a
// volume, where a file with a process id is meaningless.
function takeLock(folder: string): DatabaseSync {
  const path = join(folder, 'purlin.lock')
  let lock: DatabaseSync | undefined
  try {
    requireFile(path)
    lock = new DatabaseSync(path, { timeout: 0 })
    // No write, so a full volume does not matter.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    const code = sqliteCodeOf(error)
    if (code === full) throw startError.full(folder, error)
    if (code !== busy) throw startError.lock(path, error)
    throw new StartError(
      `Another Purlin server is using the data folder ${folder}. Stop it, or give this one its own --data-dir.`,
      { cause: error },
    )
  }
}
