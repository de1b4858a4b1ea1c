/** Passwords by Argon2id (RFC 9106). Decision 0021 has the reasons for the numbers. */
import { createHmac, hash as digest } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Passwords } from '@purlin/core/ports'
import { createLimit } from '../http/limit.ts'
import type { PasswordCost, PasswordOutcome, PasswordTask } from './password-thread.ts'
import { createThreads } from './threads.ts'

/** About one second per hash. Each hash contains its parameters, so they may be raised later. */
const standard: PasswordCost = { memoryCost: 96 * 1024, timeCost: 23 }

// Each run holds 96 MiB and a processor. One processor is left to the requests that need no password.
const runsAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
// Whoever comes later would wait longer than people do.
const longestQueue = 40

/** Makes the port. It throws 503 when more are waiting than can be answered soon. Only tests lower the cost. */
export function createPasswords(cost = standard): Passwords {
  const limited = createLimit(runsAtOnce, longestQueue)
  const outcomeOf = createThreads<PasswordTask, PasswordOutcome>(
    new URL('password-thread.ts', import.meta.url),
  )
  const run = async (task: PasswordTask): Promise<string | boolean> => {
    const outcome = await outcomeOf(task)
    if ('failure' in outcome) throw new Error(outcome.failure)
    return outcome.value
  }
  return {
    hash: (password) => limited(() => run({ kind: 'hash', password, cost })) as Promise<string>,
    verify: (stored, password, { first = false } = {}) =>
      limited(() => run({ kind: 'verify', stored, password }), first) as Promise<boolean>,
    isOutdated: (stored) => {
      const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(stored) ?? []
      return !(Number(memory) >= cost.memoryCost && Number(passes) >= cost.timeCost)
    },
    fingerprint: (secret) => digest('sha256', secret),
    sign: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
  }
}
