/**
 * Moves pages from the write-ahead log into the database file on a thread of its own, so that commits do not wait for it. The thread
 * is started when the log is long for the first time. If it is slower than the writers, SQLite does the rest on theirs.
 */
import { DatabaseSync } from 'node:sqlite'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** Pages of the log that are worth a checkpoint. */
const pagesAtLeast = 2000
const name = 'checkpoints'

export interface Checkpoints {
  /** Begins one if so many pages are waiting, and none is going on. */
  consider(pages: number): void
  stop(): void
}

export function createCheckpoints(path: string): Checkpoints {
  let thread: Worker | undefined
  let isBusy = false
  let isBroken = false

  function start(): Worker {
    const started = new Worker(new URL(import.meta.url), { name, workerData: { [name]: path } })
    started.unref()
    started.on('message', () => (isBusy = false))
    started.on('error', () => (isBroken = true))
    return started
  }

  return {
    consider(pages) {
      if (pages < pagesAtLeast || isBusy || isBroken) return
      isBusy = true
      thread ??= start()
      thread.postMessage(null, [])
    },
    stop: () => void thread?.terminate(),
  }
}

/** In the thread: a checkpoint for each message, which waits for nobody. */
function answer(path: string): void {
  const db = new DatabaseSync(path, { timeout: 0 })
  db.exec('pragma synchronous = normal')
  parentPort?.on('message', () => {
    try {
      db.exec('pragma wal_checkpoint(passive)')
    } catch {
      // Tried again with a later commit, and in the end by the writers, who are told what is wrong.
    }
    parentPort?.postMessage(null, [])
  })
}

const given = (workerData as Record<string, string> | null)?.[name]
if (!isMainThread && given !== undefined) answer(given)
