import type { Clock } from '@purlin/core/ports'

/** The time of this computer, for tests of drivers that work in real time. */
export const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
}
