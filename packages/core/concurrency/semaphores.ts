/** Counting semaphores by key. */
import { createSemaphore, type Semaphore } from '@purlin/contract/semaphore'

/** Runs work as soon as its key has a free slot. Throws if too many wait already. */
export type KeyedSemaphore = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** A semaphore for each key. A key takes no memory while nothing of it runs or waits. */
export function createKeyedSemaphore(...limit: Parameters<typeof createSemaphore>): KeyedSemaphore {
  const semaphores = new Map<string, { run: Semaphore; users: number }>()
  return async (key, work) => {
    const entry = semaphores.get(key) ?? { run: createSemaphore(...limit), users: 0 }
    semaphores.set(key, entry)
    entry.users += 1
    try {
      return await entry.run(work)
    } finally {
      entry.users -= 1
      if (entry.users === 0) semaphores.delete(key)
    }
  }
}
