/** Locks within one process. Waiters are served in the order in which they came. */

/** Runs work while a lock is held. */
export type Locked = <T>(work: () => Promise<T>) => Promise<T>

export type LockedByKey = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** A read/write lock: any number of shared holders, or one exclusive holder. */
export interface Lock {
  shared: Locked
  exclusive: Locked
}

/** Locks by key. A key takes no memory while it is neither held nor waited for. */
export interface KeyedLock {
  shared: LockedByKey
  exclusive: LockedByKey
}

/** A mutex: one holder at a time. */
export function createMutex(): Locked {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const current = last.then(work)
    last = current.catch(() => undefined)
    return current
  }
}

export function createLock(): Lock {
  // Settles when the latest exclusive holder has finished.
  let exclusive: Promise<unknown> = Promise.resolve()
  // Shared holders since then.
  let shared = new Set<Promise<unknown>>()
  return {
    shared(work) {
      const current = exclusive.then(work)
      const settled = current.catch(() => undefined)
      const holders = shared
      holders.add(settled)
      void settled.then(() => holders.delete(settled))
      return current
    },
    exclusive(work) {
      const current = Promise.all([exclusive, ...shared]).then(work)
      exclusive = current.catch(() => undefined)
      shared = new Set()
      return current
    },
  }
}

export function createKeyedLock(): KeyedLock {
  const locks = new Map<string, { lock: Lock; users: number }>()

  async function use<T>(key: string, run: (lock: Lock) => Promise<T>): Promise<T> {
    const entry = locks.get(key) ?? { lock: createLock(), users: 0 }
    locks.set(key, entry)
    entry.users++
    try {
      return await run(entry.lock)
    } finally {
      if (--entry.users === 0) locks.delete(key)
    }
  }

  return {
    shared: (key, work) => use(key, (lock) => lock.shared(work)),
    exclusive: (key, work) => use(key, (lock) => lock.exclusive(work)),
  }
}
