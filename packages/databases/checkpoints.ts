/**
 * Moves pages from the write-ahead log into the database file on a separate thread, so that commits do not wait for
 * it. The thread starts when the log is long for the first time. If it falls behind, SQLite does the rest on the
 * thread of the writers.
 */
import { closeSync, fdatasync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** In pages of the log. */
const usual = {
  /** Worth a checkpoint. */
  atLeast: 2000,
  /** The log is about to start over, which needs a moment without writes. */
  atMost: 32_000,
  /** The number of further pages after which it tries again: a long read may keep the log from starting over. */
  untilRetry: 8000,
}
/**
 * From this number of pages on, SQLite moves them itself, within a commit. If possible, the log has started over long
 * before.
 */
export const leftToWriters = 2 * usual.atMost
const name = 'checkpoints'

/** Pages in the log, and how many of them are in the file already. */
export interface LogState {
  log: number
  checkpointed: number
}

export interface Checkpoints {
  /** Begins a checkpoint if it is worthwhile. If writes must wait for it, returns the promise that they wait for. */
  consider(state: LogState): Promise<void> | undefined
  /** Ends the thread. Call the returned function when the database is closed. */
  stop(): () => void
}

export function createCheckpoints(path: string, pages: typeof usual = usual): Checkpoints {
  let file: number | undefined
  let thread: Worker | undefined
  let current: { done: Promise<void>; end: () => void } | undefined
  let isBroken = false
  let retryFrom = pages.atMost

  function start(): Worker {
    const started = new Worker(new URL(import.meta.url), { name, workerData: { [name]: path } })
    started.unref()
    started.on('message', sync)
    started.on('error', fail)
    started.on('exit', fail)
    return started
  }

  /**
   * Each partial checkpoint is synced immediately, so that little is left when the log starts over. Otherwise SQLite
   * syncs.
   */
  function sync(): void {
    try {
      file ??= openSync(path, 'r')
      fdatasync(file, () => current?.end())
    } catch {
      current?.end()
    }
  }

  function fail(): void {
    isBroken = true
    current?.end()
  }

  function run(): Promise<void> {
    if (current) return current.done
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const end = () => {
      current = undefined
      resolve()
    }
    current = { done, end }
    thread ??= start()
    thread.postMessage(null, [])
    return done
  }

  return {
    consider({ log, checkpointed }) {
      if (log < pages.atMost) retryFrom = pages.atMost
      if (isBroken || log - checkpointed < pages.atLeast) return undefined
      const underWay = run()
      if (log < retryFrom) return undefined
      retryFrom = log + pages.untilRetry
      // The one under way does not know the last pages.
      return underWay.then(() => (isBroken ? undefined : run()))
    },
    stop() {
      void thread?.terminate()
      // To close it ends the locks that SQLite has on the file in this process.
      return () => file !== undefined && !current && closeSync(file)
    },
  }
}

/** Runs in the thread: one checkpoint for each message, which does not wait for readers. */
function answer(path: string): void {
  const db = new DatabaseSync(path, { timeout: 0 })
  db.exec('pragma synchronous = normal')
  parentPort?.on('message', () => {
    try {
      db.exec('pragma wal_checkpoint(passive)')
    } catch {
      // A later commit tries again. In the end the writers do it, and get the error.
    }
    parentPort?.postMessage(null, [])
  })
}

const given = (workerData as Record<string, string> | null)?.[name]
if (!isMainThread && given !== undefined) answer(given)
