/** The state of an upload. */
import { failure, type Failure } from '#/api/errors.ts'
import { ApiError } from '#/api/send.ts'
import type { Leftover } from './transfer/calls.ts'
import { FileUnreadable } from './transfer/reader.ts'
import type { PauseReason } from './transfer/pauseControl.ts'

/** The steps in order, with their labels. */
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

export interface Problem extends Failure {
  /** The server's error, if the user can correct it in the form. */
  apiError?: ApiError
}
export type Stage =
  | { at: 'running' }
  | { at: 'paused'; reason: PauseReason }
  /** The step has failed; what was created before stays until the user retries or cancels. */
  | { at: 'failed'; problem: Problem }
  /** Cancelled; what was created is being removed. */
  | { at: 'removing' }
  /** Cancelled, and removed except for the leftovers. */
  | { at: 'cancelled'; leftovers: readonly Leftover[] }
  | { at: 'done'; leftovers: readonly Leftover[] }

export interface UploadState {
  stage: Stage
  /** index of the current step; the number of steps when all are done */
  step: number
  /** bytes sent, or compared with what was sent before */
  done: number
  /** bytes per second */
  speed: number | undefined
  /** Before an interrupted upload resumes, the file is compared with what was sent. */
  isComparing: boolean
}

/** The message of a failure. Internal errors of the server get a generic one. */
export function problemOf(error: unknown): Problem {
  if (error instanceof FileUnreadable)
    return {
      message:
        'The file can no longer be read. It may have been moved or changed. Go back and choose it again.',
    }
  const problem = failure(error)
  const isForUser = error instanceof ApiError && (error.status < 500 || error.status === 507)
  return isForUser
    ? { ...problem, apiError: error }
    : { ...problem, message: 'Something went wrong. Please try again.' }
}

// Answers of a proxy that cannot reach the server, and of an overloaded server.
const unreachable = new Set([408, 429, 502, 503, 504])

/** Why a failure only pauses the upload; undefined if the step has failed. */
export function interruption(error: unknown): PauseReason | undefined {
  if (error instanceof FileUnreadable) return undefined
  if (!(error instanceof ApiError)) return 'connection'
  if (error.status === 401) return 'session'
  return unreachable.has(error.status) ? 'connection' : undefined
}
