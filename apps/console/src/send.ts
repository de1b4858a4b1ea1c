/** One call to the API, and its failures in words. The sign-in page needs no more than this. */
import { ApiError, call } from '@purlin/contract/client'
import type { Args, OpShape, Result } from '@purlin/contract/op'
import { sessionEnded } from './session.ts'
import { link } from './transport.ts'

export { ApiError }

/** Calls an operation once, past the cache. A lost session is told to the app, then thrown. */
export async function send<O extends OpShape>(
  op: O,
  args: Args<O>,
  signal?: AbortSignal,
): Promise<Result<O>> {
  return told(op, call(link().send, { name: nameOf(op), op, args, signal }))
}

/** Lets the log, and where it ended the session the app, know if a call fails. */
export async function told<T>(op: OpShape, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError) tell(error, op)
    throw error
  }
}

/** The same for what need not be there: undefined then, which is no failure to tell of. */
export async function sendIfThere<O extends OpShape>(
  op: O,
  args: Args<O>,
  signal?: AbortSignal,
): Promise<Result<O> | undefined> {
  try {
    return await call(link().send, { name: nameOf(op), op, args, signal })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 404) return undefined
    tell(error, op)
    throw error
  }
}

function tell(error: ApiError, op: OpShape): void {
  logFailure(error, op)
  if (error.status === 401 && !op.path.startsWith('/v1/login/')) sessionEnded()
}

/** `GET /v1/disks`: the name of an operation in keys and logs. */
export const nameOf = (op: OpShape) => `${op.method} ${op.path}`

function logFailure(error: ApiError, op: OpShape): void {
  const page = window.location.pathname + window.location.search
  console.error(
    `${error.status} ${nameOf(op)} on ${page}\n  request ${error.requestId ?? '–'} · ${error.code ?? '–'} · ${error.message.replaceAll('\n', '\n  ')}`,
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const words: Record<string, string> = {
  'ssh-key': 'SSH key',
  vpc: 'VPC',
  'vpc-subnet': 'VPC subnet',
  'floating-ip': 'Floating IP',
  'project-image': 'Image',
}

// How browsers name what keeps them from reading a chosen file (File API, section 6.6).
const fileFailures: ReadonlySet<string> = new Set(['NotFoundError', 'NotReadableError', 'SecurityError'])

/** A failure in words for people. */
export function errorMessage(error: unknown): string {
  if (error instanceof DOMException && fileFailures.has(error.name))
    return 'The file can no longer be read. If it was changed or moved, choose it again.'
  if (!(error instanceof ApiError)) return 'Could not reach the server. Check the connection and try again.'
  if (error.status === 401) return 'Your session has ended. Sign in again.'
  if (error.code === 'Forbidden') return 'Action not authorized'
  if (error.code === 'ObjectAlreadyExists') {
    const kind = /already exists: ([a-z-]+)/.exec(error.message)?.[1] ?? 'resource'
    return `${words[kind] ?? sentence(kind.replaceAll('-', ' '))} name already exists`
  }
  const parse = /^unable to parse JSON body: ([^]*?)(?: at line \d+ column \d+)?$/.exec(error.message)
  return sentence(parse?.[1] ?? error.message) || 'Unknown server error'
}

/** What a form or toast shows of a failure. */
export const failure = (error: unknown): { message: string; requestId?: string } => ({
  message: errorMessage(error),
  ...(error instanceof ApiError && error.requestId ? { requestId: error.requestId } : {}),
})
