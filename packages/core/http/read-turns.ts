/** Reads of the database wait for each other by user, so that one with many or slow ones hardly delays the others. */
import { memoizeByObject } from '#/concurrency/memoize.ts'
import { createKeyedSemaphore } from '#/concurrency/semaphores.ts'
import type { World } from '#/context.ts'
import { fault } from '#/faults.ts'

const mostWaiting = 1000

// One user has at most half of the reads that the database runs at the same time.
const turnsOf = memoizeByObject(({ engine }: World) =>
  createKeyedSemaphore(
    { running: Math.ceil(engine.readsAtOnce / 2), waiting: mostWaiting },
    fault.tooManyQueries,
  ),
)

/** Runs a read once few others of the user run. Throws 429 if too many wait. */
export const inReadTurn = <T>(world: World, userId: string, read: () => Promise<T>): Promise<T> =>
  turnsOf(world)(userId, read)
