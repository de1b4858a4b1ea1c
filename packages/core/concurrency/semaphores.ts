/** Counting semaphores by key, each with a bounded list of waiters. */

interface Semaphore {
  running: number
  /** Each starts one waiter. */
  waiting: (() => void)[]
}
/** Runs work as soon as its key has a free slot. Throws if too many wait already. */
export type KeyedSemaphore = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * Allows `limit.running` at the same time per key, and `limit.waiting` more to wait; throws `onFull()` beyond that.
 */
export function createKeyedSemaphore(
  limit: { running: number; waiting: number },
  onFull = () => new Error('too many wait'),
): KeyedSemaphore {
  const semaphores = new Map<string, Semaphore>()
  return async (key, work) => {
    const semaphore = semaphores.get(key) ?? { running: 0, waiting: [] }
    semaphores.set(key, semaphore)
    if (semaphore.running < limit.running) semaphore.running++
    else if (semaphore.waiting.length >= limit.waiting) throw onFull()
    else await new Promise<void>((resolve) => semaphore.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The next waiter inherits the slot.
      const next = semaphore.waiting.shift()
      if (next) next()
      else if (--semaphore.running === 0) semaphores.delete(key)
    }
  }
}
