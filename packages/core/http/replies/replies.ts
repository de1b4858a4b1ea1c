/** Replies: the envelope of faults, and the answers of operations. */
import type { ApiRequest, ApiResponse } from '@purlin/contract/http'
import type { ErrorFormat, OpShape } from '@purlin/contract/op'
import { mediaTypes } from '@purlin/contract/schemas/media-types'
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
import { errorBodyOf } from './error-formats.ts'
import { fileReply } from './file-replies.ts'
import { encodeInSlices } from './slices.ts'

/** The type of an answer with a body, unless the answer says another. */
export const typeHeaders = ({ responseType = mediaTypes.json }: OpShape, body: string | null) =>
  body === null ? {} : { 'content-type': responseType }

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
export function ownReplyOf(
  op: OpShape,
  result: unknown,
  { request, cookies, answer }: Pick<RequestContext, 'cookies' | 'answer'> & { request: ApiRequest },
): ApiResponse | Promise<ApiResponse> {
  if (answer.location !== undefined)
    return { status: statusOf(op), headers: { location: inAscii(answer.location) }, cookies, body: null }
  if (answer.file) return fileReply(op, request, answer.file)
  return answer.stream ? streamedReply(answer.stream) : largeReplyOf(op, result, cookies)
}

/** An address as a header can have it: other characters are percent-encoded, as browsers do. */
const inAscii = (address: string): string => address.replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)

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
  at: { requestId: string; request: ApiRequest; format?: ErrorFormat | undefined },
): ApiResponse {
  const { requestId, request, format } = at
  const known = faultOf(error)
  const failure = known ?? fault.internal()
  if (error instanceof BytesMissing) world.log.error({ requestId, layers: error.layers }, error.message)
  if (!known) {
    const stack = error instanceof Error ? error.stack : String(error)
    world.log.error(
      { requestId, method: request.method, path: request.url.split('?')[0], stack },
      'request failed',
    )
  }
  const { type, body } = errorBodyOf(failure, requestId, format)
  return {
    status: failure.status,
    headers: { 'x-request-id': requestId, 'content-type': type, ...failure.headers },
    cookies: failure.cookies,
    body: JSON.stringify(body, null, 2),
  }
}
