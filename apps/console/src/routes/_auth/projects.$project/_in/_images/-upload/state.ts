/** What is known of an upload at one moment. */
import { ApiError, failure } from '../../../../../../send.ts'
import type { Leftover } from './calls.ts'
import { FileUnreadable } from './reader.ts'
import type { Why } from './valve.ts'

/** What is done one after another, in the words of the screen. */
export const steps = [
  { key: 'createDisk', label: 'Create temporary disk' },
  { key: 'startImport', label: 'Put disk in import mode' },
  { key: 'sendFile', label: 'Upload image file' },
  { key: 'stopImport', label: 'Get disk out of import mode' },
  { key: 'finalize', label: 'Finalize disk and create snapshot' },
  { key: 'createImage', label: 'Create image' },
  { key: 'cleanUp', label: 'Delete disk and snapshot' },
] as const
export type StepKey = (typeof steps)[number]['key']
export const stepIndex = (key: StepKey): number => steps.findIndex((step) => step.key === key)

export interface Problem {
  message: string
  requestId?: string | undefined
  /** What another submit can mend, as the server said it. */
  refusal?: ApiError
}
export type Stage =
  | { at: 'running' }
  | { at: 'paused'; why: Why }
  /** The step has failed, and everything before it stays until the person decides. */
  | { at: 'failed'; problem: Problem }
  /** Given up: what it has made is being removed. */
  | { at: 'removing' }
  /** Given up, and removed but for what is left over. */
  | { at: 'over'; leftovers: readonly Leftover[] }
  | { at: 'done'; leftovers: readonly Leftover[] }

export interface UploadState {
  stage: Stage
  /** index of the step under way or next; their number once all are done */
  step: number
  /** bytes that are on the disk, or were compared with what had been sent before */
  done: number
  /** bytes per second */
  speed: number | undefined
  /** An interrupted upload goes on; until then the file is compared with what was sent. */
  isComparing: boolean
}

/** A failure in words. What the server says of its own insides helps nobody, what it says of the wish does. */
export function problemOf(error: unknown): Problem {
  if (error instanceof FileUnreadable)
    return {
      message:
        'The file can no longer be read. It may have been moved or changed: go back and choose it again.',
    }
  const told = failure(error)
  const isForPeople = error instanceof ApiError && (error.status < 500 || error.status === 507)
  return isForPeople
    ? { ...told, refusal: error }
    : { ...told, message: 'Something went wrong. Please try again.' }
}

// What stands between us and the server answers so when it cannot reach it.
const unreachable = new Set([408, 429, 502, 503, 504])

/** Why a failure only holds an upload up, or undefined if it is one. */
export function interruption(error: unknown): Why | undefined {
  if (error instanceof FileUnreadable) return undefined
  if (!(error instanceof ApiError)) return 'connection'
  if (error.status === 401) return 'session'
  return unreachable.has(error.status) ? 'connection' : undefined
}
