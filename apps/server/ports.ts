/** Time and randomness of this process, as core asks for them. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock, Ids } from '@purlin/core/ports'

// Longer waits overflow and would fire at once.
const longestWait = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, Math.min(Math.max(ms, 0), longestWait))
    return () => clearTimeout(timer)
  },
}

export const systemIds: Ids = { uuid: () => randomUUID(), bytes: (n) => new Uint8Array(randomBytes(n)) }
