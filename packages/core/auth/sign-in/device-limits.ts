/**
 * Slows down clients that request codes of the device flow or guess them. Without a session they are counted by
 * address, with one by user. Counted in memory, by each server separately.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '#/ports.ts'
import { fault } from '#/faults.ts'
import { clientOf } from '../client-of.ts'
import { type Counted, createTally, type Rule } from './sign-in-tally.ts'

export interface DeviceLimits {
  /** Counts a request for codes. Throws 429. */
  ask(remote: string): void
  /** Runs a look-up of a code that throws or gives null for a wrong one, which is counted. Throws 429. */
  guess<T>(who: { remote: string; userId?: string }, look: () => Promise<T | null>): Promise<T | null>
  /** True for a code that was polled less than a second ago. */
  isTooSoon(codeHash: string): boolean
}

const minute = 60_000
// Many devices may be behind one address.
const askRule: Rule = { free: 60, parallel: Infinity, firstMs: 1000, longestMs: minute, forgives: false }
const guessRule: Rule = {
  free: 60,
  parallel: Infinity,
  firstMs: 1000,
  longestMs: 5 * minute,
  forgives: false,
}
const leastMs = 1000
const maxPolled = 10_000

/** Limits of one control plane. */
export function createDeviceLimits({ clock }: { clock: Clock }): DeviceLimits {
  const asked = createTally(clock, askRule)
  const guessed = createTally(clock, guessRule)
  const polled = new LRUCache<string, number>({ maxSize: maxPolled, sizeCalculation: () => 1 })

  return {
    ask(remote) {
      const count = asked.of(clientOf(remote))
      refuseWaiting(count)
      count.begin()('wrong')
    },
    async guess({ remote, userId }, look) {
      // Strangers at the address of a user must not keep the user from confirming a code.
      const count = guessed.of(userId === undefined ? `address ${clientOf(remote)}` : `user ${userId}`)
      refuseWaiting(count)
      const found = await look()
      if (found === null) count.begin()('wrong')
      return found
    },
    isTooSoon(codeHash) {
      const last = polled.get(codeHash)
      const now = clock.now()
      polled.set(codeHash, now)
      return last !== undefined && now - last < leastMs
    },
  }
}

function refuseWaiting(count: Counted): void {
  const waitMs = count.waitMs()
  if (waitMs > 0) throw fault.tooManyAttempts(Math.ceil(waitMs / 1000))
}
