/** Queries that take long or much memory run one after the other. */
import { createSemaphore } from '@purlin/contract/semaphore'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import { createKeyedSemaphore } from '#/concurrency/semaphores.ts'
import type { Actor, World } from '#/context.ts'
import { fault } from '#/faults.ts'

// Each may take some 100 MB. A page of charts sends several together, and new ones before all are answered. Running
// them concurrently would not be faster, because the process works on one at a time.
const mostPerUser = { running: 1, waiting: 35 }
const mostInAll = { running: 2, waiting: 100 }
const queuesOf = memoizeByObject((_world: World) => ({
  perUser: createKeyedSemaphore(mostPerUser, fault.tooManyQueries),
  inAll: createSemaphore(mostInAll, fault.tooManyQueries),
}))

/** Runs a query once the user's others are done, and few of all users run. Throws 429 if too many wait. */
export function inQueue<T>(
  { world, actor }: { world: World; actor: Pick<Actor, 'userId'> | null },
  query: () => Promise<T>,
): Promise<T> {
  const { perUser, inAll } = queuesOf(world)
  return perUser(actor?.userId ?? '', () => inAll(query))
}
