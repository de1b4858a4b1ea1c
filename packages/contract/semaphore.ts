/** Runs work when fewer than the limit run. Work that is `first` starts before other work that waits. */
export type Semaphore = <T>(work: () => Promise<T>, options?: { first?: boolean }) => Promise<T>

interface SemaphoreLimit {
  /** How many run at the same time. */
  running: number
  /** How many of each, `first` or not, may wait; any number when left out. */
  waiting?: number
}

/** A counting semaphore. Work starts in order of arrival. Throws `onFull()` when too many wait already. */
export function createSemaphore(
  { running, waiting = Infinity }: SemaphoreLimit,
  onFull = () => new Error('too many wait'),
): Semaphore {
  let free = running
  const first: (() => void)[] = []
  const others: (() => void)[] = []
  return async (work, options) => {
    const queue = options?.first ? first : others
    if (free > 0) free -= 1
    else if (queue.length >= waiting) throw onFull()
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      // The slot goes straight to the next work, so that later work cannot take it first.
      const next = first.shift() ?? others.shift()
      if (next) next()
      else free += 1
    }
  }
}
