/** Core's ports for time and randomness, with those of this process. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Clock, Ids, Sha256 } from '@purlin/core/ports'

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

export function systemSha256(): Sha256 {
  const hash = createHash('sha256')
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
}
