/** How much work is under way at once. */
import { fault } from '@purlin/core'

type Limit = <T>(work: () => Promise<T>, first?: boolean) => Promise<T>

/**
 * Runs at most `width` at once, in order; those that are called with `first` go before the others that wait. Past
 * `queue` waiting ones of either kind it throws fault.unavailable.
 */
export function createLimit(width: number, queue: number): Limit {
  let running = 0
  const lines: Record<'first' | 'other', (() => void)[]> = { first: [], other: [] }
  return async (work, first = false) => {
    if (running >= width) {
      const line = lines[first ? 'first' : 'other']
      if (line.length >= queue) throw fault.unavailable()
      // The slot is passed to the next waiting run, so that a new call cannot take it first.
      await new Promise<void>((resolve) => line.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = lines.first.shift() ?? lines.other.shift()
      if (next) next()
      else running--
    }
  }
}
