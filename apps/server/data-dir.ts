/** The folder of the embedded database. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A problem at start that its reader can solve; the message says how. */
export class StartError extends Error {
  override name = 'StartError'
}

export interface DataDir {
  /** path of the database file */
  file: string
  release: () => void
}

/**
 * Makes the folder, readable by its owner only, and takes it for this process. Throws StartError if
 * another server has it.
 */
export function takeDataDir(folder: string): DataDir {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const lock = takeLock(folder)
    return { file: join(folder, 'purlin.db'), release: () => lock.close() }
  } catch (error) {
    if (error instanceof StartError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`The data folder ${folder} cannot be used: ${reason}`, { cause: error })
  }
}

// The operating system gives this lock back however the process ends, and it holds between containers
// that share a volume, where a file with a process id says nothing.
function takeLock(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'purlin.lock'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== 5) throw error
    throw new StartError(
      `Another Purlin server is using the data folder ${folder}. Stop it, or give this one its own --data-dir.`,
      { cause: error },
    )
  }
}
