/** Core's ports for time and randomness, with those of this process. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Clock, Ids, Sha256 } from '@purlin/core/ports'

// Longer waits overflow and would fire immediately.
const longestWait = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, Math.min(Math.max(ms, 0), longestWait))
    return () => clearTimeout(timer)
  },
}

// To ask the system takes as long for many bytes as for few.
const drawnAtOnce = 4096
let drawn = new Uint8Array()

/** Random bytes, each given once. */
function randomSome(n: number): Uint8Array<ArrayBuffer> {
  if (n > drawnAtOnce / 16) return new Uint8Array(randomBytes(n))
  if (drawn.length < n) drawn = new Uint8Array(randomBytes(drawnAtOnce))
  const given = drawn.slice(0, n)
  drawn.fill(0, 0, n)
  drawn = drawn.subarray(n)
  return given
}

export const systemIds: Ids = { uuid: () => randomUUID(), bytes: randomSome }

export function systemSha256(): Sha256 {
  const hash = createHash('sha256')
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
}
