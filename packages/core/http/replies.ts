/** Replies: the envelope of faults, and the answers of operations. */
import type { ApiRequest, ApiResponse } from '@purlin/contract/http'
import type { OpShape } from '@purlin/contract/op'
import { encode } from '@purlin/contract/wire'
import type { RequestContext, StreamedText, World } from '#/context.ts'
import {
  Contention,
  DatabaseUnavailable,
  DatabaseUnusable,
  OutcomeUnknown,
  UniqueViolation,
} from '#/db/engine.ts'
import { Fault, fault } from '#/faults.ts'
import { BytesMissing, StorageFull } from '#/ports.ts'
import { encodeInSlices } from './slices.ts'

export const jsonHeaders = { 'content-type': 'application/json' }

const statusOf = ({ ok }: OpShape): number => (ok === 'upgrade' ? 200 : ok)

/** The answer of an operation; a promise if it may be large. */
export function replyOf(
  op: OpShape,
  result: unknown,
  cookies: readonly string[],
): ApiResponse | Promise<ApiResponse> {
  if (op.isLarge) return largeReplyOf(op, result, cookies)
  const body = op.response ? JSON.stringify(encode(op.response, result)) : null
  return { status: statusOf(op), headers: {}, cookies, body }
}

/** An answer that may be large. */
async function largeReplyOf(op: OpShape, result: unknown, cookies: readonly string[]): Promise<ApiResponse> {
  const body = op.response ? await encodeInSlices(op.response, result) : null
  return { status: statusOf(op), headers: {}, cookies, body }
}

/** The fault that an error is answered with. */
export const failureOf = (error: unknown): Fault => faultOf(error) ?? fault.internal()

/** The answer of an operation that runs its own transactions. */
export const ownReplyOf = (
  op: OpShape,
  result: unknown,
  { cookies, answer }: Pick<RequestContext, 'cookies' | 'answer'>,
): ApiResponse | Promise<ApiResponse> =>
  answer.stream ? streamedReply(answer.stream) : largeReplyOf(op, result, cookies)

/** An answer that is sent while it is made. */
const streamedReply = ({ contentType, fileName, text }: StreamedText): ApiResponse => ({
  status: 200,
  headers: {
    'content-type': `${contentType}; charset=utf-8`,
    // Proxies must not buffer an answer that is a stream.
    ...(fileName === undefined
      ? { 'x-accel-buffering': 'no' }
      : { 'content-disposition': `attachment; filename="${fileName}"` }),
  },
  body: null,
  stream: text,
})

function faultOf(error: unknown): Fault | null {
  if (error instanceof Fault) return error
  if (error instanceof UniqueViolation) return fault.conflict('another request has just taken the same value')
  if (error instanceof StorageFull) return fault.storageFull()
  if (error instanceof BytesMissing) return fault.bytesMissing()
  if (error instanceof DatabaseUnusable) return fault.unavailable(error.message)
  if (error instanceof DatabaseUnavailable) return fault.databaseUnavailable()
  if (error instanceof OutcomeUnknown) return fault.outcomeUnknown()
  return error instanceof Contention ? fault.contention() : null
}

/** The envelope of any error. If it is not a fault, it is logged, and its details are not sent. */
export function errorReply(
  world: World,
  error: unknown,
  at: { requestId: string; request: ApiRequest },
): ApiResponse {
  const { requestId, request } = at
  const known = faultOf(error)
  const { status, code, message, headers, quota, entry } = known ?? fault.internal()
  if (error instanceof BytesMissing) world.log.error({ requestId, layers: error.layers }, error.message)
  if (!known) {
    const stack = error instanceof Error ? error.stack : String(error)
    world.log.error(
      { requestId, method: request.method, path: request.url.split('?')[0], stack },
      'request failed',
    )
  }
  const envelope = known?.isOAuth
    ? { error: message }
    : {
        request_id: requestId,
        ...(code ? { error_code: code } : {}),
        message,
        ...(quota ? { quota } : {}),
        ...(entry ? { entry } : {}),
      }
  return {
    status,
    headers: { 'x-request-id': requestId, ...jsonHeaders, ...headers },
    body: JSON.stringify(envelope, null, 2),
  }
}
