/** A response before it is written to the client. */
import type { ApiResponse } from '@purlin/contract/http'
import type { AnswerKind, OwnHeaders } from './headers.ts'
import { systemIds } from '../process/ports.ts'

export interface Reply {
  kind: AnswerKind
  /** The security headers in place of those of its kind. */
  security?: OwnHeaders
  status: number
  headers: Record<string, string>
  cookies?: readonly string[]
  body: string | Uint8Array | null
  /** In place of a body: text or bytes. */
  stream?: AsyncIterable<string>
  bytes?: AsyncIterable<Uint8Array>
}

/** An answer of the API as it is. */
export const apiReply = (response: ApiResponse): Reply => ({ kind: 'api', ...response })

/** An error of the server itself, in the envelope of the API. */
export function envelope(status: number, message: string): Reply {
  const requestId = systemIds.uuid()
  return {
    kind: 'api',
    status,
    headers: { 'x-request-id': requestId, 'content-type': 'application/json' },
    body: JSON.stringify({ request_id: requestId, message }, null, 2),
  }
}

/** The answer to a request from an address that the allow list does not have. */
export const notAllowed = (remote: string): Reply =>
  envelope(403, `requests from ${remote} are refused: the allow list of source addresses does not contain it`)

/** A redirect: after a GET, unless it says that it is after a form. */
export const redirect = (location: string, status: 302 | 303 = 302): Reply => ({
  kind: 'page',
  status,
  headers: { location, 'cache-control': 'no-store' },
  body: null,
})
