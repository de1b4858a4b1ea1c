/** Lets at most `width` tasks run at once; the others wait for their turn in the order in which they came. */
export function gate(width: number): <T>(task: () => Promise<T>) => Promise<T> {
  let free = width
  const waiting: (() => void)[] = []
  return async (task) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      // A place that is passed on never becomes free in between.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
