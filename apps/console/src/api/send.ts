/** One call to the API. Kept apart from queries and from texts of errors for the sign-in page. */
import { ApiError, call } from '@purlin/contract/client'
import { otherUserCode, recentSignInCode } from '@purlin/contract/http'
import type { Args, OpShape, Result } from '@purlin/contract/op'
import { otherUserSignedIn, sessionEnded, signInTooOld } from './session.ts'
import { transport } from './transport.ts'

export { ApiError }

/** The arguments of an operation in a variable. It has the fields of its kind, which its type does not say. */
export const argsFor = <O extends OpShape>(
  _: O,
  parts: { params?: object; query?: object; body?: unknown },
) => parts as unknown as Args<O>

/** Calls an operation once, without the cache. Reports a failure, then throws it. */
export async function send<O extends OpShape>(
  op: O,
  args: Args<O>,
  signal?: AbortSignal,
): Promise<Result<O>> {
  return reportFailures(op, call(transport().send, { name: nameOf(op), op, args, signal }))
}

/** Logs the failure of a call, and signals the end of the session if that is the cause. Throws it again. */
export async function reportFailures<T>(op: OpShape, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError) reportFailure(error, op)
    throw error
  }
}

/** Like send, for something that may be absent: a 404 gives undefined and is not reported. */
export async function sendIfThere<O extends OpShape>(
  op: O,
  args: Args<O>,
  signal?: AbortSignal,
): Promise<Result<O> | undefined> {
  try {
    return await call(transport().send, { name: nameOf(op), op, args, signal })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 404) return undefined
    reportFailure(error, op)
    throw error
  }
}

function reportFailure(error: ApiError, op: OpShape): void {
  logFailure(error, op)
  if (error.status === 401 && !op.signsIn) sessionEnded()
  if (error.code === otherUserCode) otherUserSignedIn()
  if (error.code === recentSignInCode) signInTooOld()
}

/** `GET /v1/disks`: the name of an operation in keys and logs. */
export const nameOf = (op: OpShape) => `${op.method} ${op.path}`

function logFailure(error: ApiError, op: OpShape): void {
  const page = window.location.pathname + window.location.search
  console.error(
    `${error.status} ${op.method} ${error.url} on ${page}\n  request ${error.requestId ?? '–'} · ${error.code ?? '–'} · ${error.message.replaceAll('\n', '\n  ')}`,
  )
}
