/** The folder of the embedded database and of the bytes of disks. */
import { sqliteCodeOf, systemCodeOf } from '@purlin/databases/error-codes'
import { requireFile, takeLock } from '@purlin/databases/files/lock'
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { startError, StartError } from '../process/start-errors.ts'

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
  requireWhole(folder)
  const file = join(folder, 'purlin.db')
  const release = takeDataLock(folder)
  try {
    for (const suffix of ['', '-wal', '-shm']) requireFile(file + suffix)
    return { file, release }
  } catch (error) {
    release()
    throw startError.database(file, error)
  }
}

/** The folder within a data folder in which a restore is prepared. */
export const restoring = 'restoring'

/** Throws StartError if a restore into the folder is not complete. */
export function requireWhole(folder: string): void {
  if (existsSync(join(folder, restoring)))
    throw new StartError(
      `A restore into the data folder ${folder} is under way or was interrupted. Run npm run restore again.`,
    )
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

/** The result code of SQLite for a full volume. */
const full = 13

/** Takes a data folder for this process, and returns a function that releases it. Throws StartError. */
export function takeDataLock(folder: string): () => void {
  const path = join(folder, 'purlin.lock')
  const inUse = (cause: unknown) =>
    new StartError(
      `Another Purlin server is using the data folder ${folder}. Stop it, or give this one its own --data-dir.`,
      { cause },
    )
  try {
    const lock = takeLock(path, inUse)
    return () => lock.close()
  } catch (error) {
    if (error instanceof StartError) throw error
    throw sqliteCodeOf(error) === full ? startError.full(folder, error) : startError.lock(path, error)
  }
}
