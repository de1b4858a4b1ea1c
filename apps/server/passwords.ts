/** Passwords by Argon2id (RFC 9106) on the thread pool. */
import { hash as digest } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { fault } from '@purlin/core/faults'
import type { Passwords } from '@purlin/core/ports'

/**
 * Memory and passes of RFC 9106's recommendation for constrained memory, in one lane: more than three
 * times the least that OWASP accepts in both. The parameters stand in each hash, so they may grow later.
 */
const cost = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 }

// Each run holds 64 MiB and one thread of a pool that file reads share.
const runsAtOnce = Math.min(2, availableParallelism())
const longestQueue = 100

/** Makes the port. More than 100 waiting runs are refused with 503. */
export function createPasswords(): Passwords {
  const limited = createLimit(runsAtOnce, longestQueue)
  return {
    hash: (password) => limited(() => hash(password, cost)),
    verify: (stored, password) => limited(() => verify(stored, password).catch(() => false)),
    fingerprint: (secret) => digest('sha256', secret),
  }
}

/** Runs at most `width` at once, in order; past `queue` waiting ones it throws fault.unavailable. */
export function createLimit(width: number, queue: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= width) {
      if (waiting.length >= queue) throw fault.unavailable()
      // Whoever ends hands its place over, so nobody can slip in between.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
