/** Runs at most `permits` tasks at once; further tasks wait and start in order of arrival. */
export function semaphore(permits: number): <T>(task: () => Promise<T>) => Promise<T> {
  let free = permits
  const waiting: (() => void)[] = []
  return async (task) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      // The permit goes straight to the next task, so that a later one cannot take it first.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
