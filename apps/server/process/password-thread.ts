/** Argon2id in a separate thread, which leaves the processors to the threads that answer requests. */
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { isMainThread, parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

/** The jobs of the thread: hashes a password, or checks it against a hash. */
export type PasswordTask =
  | { kind: 'hash'; password: string; cost: PasswordCost }
  | { kind: 'verify'; password: string; stored: string }

/** memory in KiB, and the passes over it */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
}

/** The answer, or why there is none. */
export type PasswordOutcome = { value: string | boolean } | { failure: string }

function outcomeOf(task: PasswordTask): PasswordOutcome {
  try {
    if (task.kind === 'hash') return { value: hashSync(task.password, { ...task.cost, parallelism: 1 }) }
    return { value: fits(task.stored, task.password) }
  } catch (error) {
    return { failure: String(error) }
  }
}

/** No password matches a malformed hash. */
function fits(stored: string, password: string): boolean {
  try {
    return verifySync(stored, password)
  } catch {
    return false
  }
}

/** On Linux a priority belongs to a thread; elsewhere it would be that of the whole process. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Without /proc, passwords compete with requests.
  }
}

if (!isMainThread) {
  lowerPriority()
  parentPort?.on('message', (task: PasswordTask) => parentPort?.postMessage(outcomeOf(task), []))
}
