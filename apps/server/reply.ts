/** What goes back to a client, before it is written. */
import type { ApiResponse } from '@purlin/core/dispatch'
import type { AnswerKind } from './headers.ts'

export interface Reply {
  kind: AnswerKind
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | null
}

/** An answer of the API as it is. */
export const apiReply = ({ status, headers, body }: ApiResponse): Reply => ({
  kind: 'api',
  status,
  headers,
  body,
})

/** A redirect after a GET. */
export const redirect = (location: string): Reply => ({
  kind: 'page',
  status: 302,
  headers: { location, 'cache-control': 'no-store' },
  body: null,
})
