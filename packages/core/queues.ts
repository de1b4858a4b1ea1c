/** Queues, one per key: some work goes on at once, some waits, and more is refused. */

interface Queue {
  running: number
  /** each lets one of those that wait begin */
  waiting: (() => void)[]
}
export type Enqueue = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Makes queues; `refuse` is thrown where as many wait as may. */
export function createQueues(most: { running: number; waiting: number }, refuse: () => Error): Enqueue {
  const queues = new Map<string, Queue>()
  return async (key, work) => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < most.running) queue.running++
    else if (queue.waiting.length >= most.waiting) throw refuse()
    else await new Promise<void>((resolve) => queue.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Who is next takes over the place of who ends.
      const next = queue.waiting.shift()
      if (next) next()
      else if (--queue.running === 0) queues.delete(key)
    }
  }
}
