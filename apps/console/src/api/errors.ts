/** Messages of errors for people, and their subjects. */
import { ApiError } from '@purlin/contract/client'
import { kindOfType, nounOf } from '@purlin/contract/rules/kinds'
import { aboutOf, messages } from '@purlin/contract/rules/messages'

/** A failure of our own, whose message is meant for the person. */
export class ExplainedError extends Error {}

/** A name that the console itself found to be taken, before the call that would have failed for it. */
export class NameTakenError extends ExplainedError {
  readonly type: string
  constructor(type: string) {
    super(takenMessage(type))
    this.type = type
  }
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const takenMessage = (type: string) => `${sentence(nounOf(type))} name already exists`

// How browsers name what keeps them from reading a chosen file (File API, section 6.6).
const fileFailures: ReadonlySet<string> = new Set(['NotFoundError', 'NotReadableError', 'SecurityError'])

/** A failure in words for people. */
export function errorMessage(error: unknown): string {
  if (error instanceof DOMException && fileFailures.has(error.name))
    return 'The file can no longer be read. If it was changed or moved, choose it again.'
  if (error instanceof ExplainedError) return error.message
  if (!(error instanceof ApiError)) return 'Could not reach the server. Check the connection and try again.'
  if (error.status === 401) return 'Your session has ended. Sign in again.'
  if (error.code === 'Forbidden') return 'Action not authorized'
  const taken = takenName(error)
  if (taken) return takenMessage(taken.type)
  const { badBodyAt, badBody } = messages
  const { reason } = badBodyAt.read(error.message) ?? badBody.read(error.message) ?? { reason: error.message }
  return sentence(reason) || 'Unknown server error'
}

/** The texts of a failure in a form or toast. */
export interface Failure {
  message: string
  /** The id of the call, for the cloud's operator. */
  requestId?: string | undefined
  /** The code of the error, which the guide explains. */
  code?: string | undefined
}

/** Them for an error. */
export const failure = (error: unknown): Failure => ({
  message: errorMessage(error),
  ...(error instanceof ApiError && error.requestId ? { requestId: error.requestId } : {}),
  ...(error instanceof ApiError && error.code ? { code: error.code } : {}),
})

/** The name that a call wanted to give but that is taken. */
export interface TakenName {
  /** Type of the resource that would have it. */
  type: string
  /** The name, where the server says it. */
  name?: string | undefined
  /** False if the resource is made along with the one that the operation is about, e.g. a disk with its instance. */
  isOwn: boolean
}

/** The name that is taken, if that is why the call failed. Servers that do not name the type mean the operation's. */
export function takenName(error: unknown): TakenName | undefined {
  if (error instanceof NameTakenError) return { type: error.type, isOwn: true }
  if (!(error instanceof ApiError) || error.code !== 'ObjectAlreadyExists') return undefined
  const { type, name } = aboutOf(error.message)
  const own = error.resource ?? type ?? 'resource'
  // An image of a project is of the type `project-image`. A type that the console does not know says nothing.
  const isOwn = type === undefined || type === own || type.endsWith(`-${own}`)
  return isOwn || kindOfType(type) ? { type: type ?? own, name, isOwn } : { type: own, name, isOwn: true }
}

/** The resource that a call needs and that is not there, if that is why it failed. */
export function missing(error: unknown): { type: string; name: string } | undefined {
  if (!(error instanceof ApiError) || error.status !== 404) return undefined
  return messages.notFound.read(error.message)
}

/** True if the server failed the call with this message. */
export const hasMessage = (error: unknown, message: { read(text: string): unknown }): error is ApiError =>
  error instanceof ApiError && message.read(error.message) !== undefined
