import type { Clock } from '@purlin/core/ports'

/** The time of this computer: QEMU has no other. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
}
