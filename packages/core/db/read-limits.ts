/** Reads of the database wait for each other by user, so that one with many or slow ones hardly delays the others. */
import { memoizeByObject } from '#/concurrency/memoize.ts'
import { createKeyedSemaphore } from '#/concurrency/semaphores.ts'
import { fault } from '#/faults.ts'
import type { Engine } from './engine.ts'

const mostWaiting = 1000

// One user has at most half of the reads that the database runs at the same time.
const semaphoreOf = memoizeByObject(({ readsAtOnce }: Engine) =>
  createKeyedSemaphore({ running: Math.ceil(readsAtOnce / 2), waiting: mostWaiting }, fault.tooManyQueries),
)

/** Runs a read once few others of the user run. Throws 429 if too many wait. */
export const limitReads = <T>(engine: Engine, userId: string, read: () => Promise<T>): Promise<T> =>
  semaphoreOf(engine)(userId, read)
