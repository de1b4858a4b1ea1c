/** Passwords by Argon2id (RFC 9106). Decision 0021 has the reasons for the numbers. */
import { createHmac, hash as digest } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { createSemaphore } from '@purlin/contract/semaphore'
import { fault } from '@purlin/core'
import { createKeyedSemaphore, type Passwords } from '@purlin/core/ports'
import type { PasswordCost, PasswordOutcome, PasswordTask } from './password-thread.ts'

/** About one second per hash. Each hash contains its parameters, so they may be raised later. */
export const standard: PasswordCost = { memoryCost: 96 * 1024, timeCost: 23 }

// Each run holds 96 MiB and a processor. One processor is left to the requests that need no password.
const runsAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
// Later requests would wait longer than people do.
const longestQueue = 40
const queueSeconds = Math.ceil(longestQueue / runsAtOnce)
// The others of one client wait outside of the queue, so that a few clients cannot fill it.
const ofClient = { running: 3, waiting: 15 }

/** Makes the port. It throws 503 when more are waiting than can be answered soon. Only tests lower the cost. */
export function createPasswords(cost = standard): Passwords {
  const refusal = () => fault.tooManyPasswords(queueSeconds)
  const limited = createSemaphore({ running: runsAtOnce, waiting: longestQueue }, refusal)
  const byClient = createKeyedSemaphore(ofClient, refusal)
  const run = createThreads()
  return {
    hash: (password) => limited(() => run({ kind: 'hash', password, cost })) as Promise<string>,
    verify: (stored, password, { first = false, client } = {}) => {
      const verify = () =>
        limited(() => run({ kind: 'verify', stored, password }), { first }) as Promise<boolean>
      return first || client === undefined ? verify() : byClient(client, verify)
    },
    isOutdated: (stored) => {
      const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(stored) ?? []
      return !(Number(memory) >= cost.memoryCost && Number(passes) >= cost.timeCost)
    },
    common,
    fingerprint: (secret) => digest('sha256', secret),
    sign: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
  }
}

/** Read once, when a password is first set: it takes a tenth of a second and 4 MB. Decision 0078. */
let list: Promise<ReadonlySet<string>> | undefined
const common = () => (list ??= readCommon())

async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

/** Runs tasks in threads: a new one when all are busy. Throws if the task fails or its thread ends. */
function createThreads(): (task: PasswordTask) => Promise<string | boolean> {
  const idle: Worker[] = []
  return async (task) => {
    const thread = idle.pop() ?? new Worker(new URL('password-thread.ts', import.meta.url))
    const outcome = await outcomeIn(thread, task)
    idle.push(thread)
    if ('failure' in outcome) throw new Error(outcome.failure)
    return outcome.value
  }
}

/** An idle thread does not keep the process alive. */
async function outcomeIn(thread: Worker, task: PasswordTask): Promise<PasswordOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<PasswordOutcome>()
  const fail = (reason: unknown) => reject(new Error('a thread for passwords has ended', { cause: reason }))
  thread.once('message', resolve).once('error', fail).once('exit', fail).ref()
  thread.postMessage(task, [])
  try {
    return await promise
  } finally {
    thread.off('message', resolve).off('error', fail).off('exit', fail).unref()
  }
}
