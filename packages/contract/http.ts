/** One request and one response of the API, from the client that sends to the control plane that answers. */

/** Optional request header: the id of the user that the client acts for. In a session of another user, 409 is answered. */
export const userHeader = 'purlin-user'

/** The error code of that answer. */
export const otherUserCode = 'OtherUser'

/** The error code of a sign-in that needs a second step. */
export const secondFactorCode = 'SecondFactorNeeded'

/** The error code of a change that needs a sign-in a short time before. */
export const recentSignInCode = 'RecentSignInNeeded'

export interface ApiRequest {
  method: string
  /** path and query, as sent */
  url: string
  /** by lower-case name */
  headers: Readonly<Record<string, string>>
  /**
   * Text or bytes. A server that knows the length only while it reads gives a function instead: it resolves to text or,
   * for a long body or one that is no UTF-8, bytes.
   */
  body?: string | Uint8Array<ArrayBuffer> | ((allowed: BodyAllowance) => Promise<string | Uint8Array>)
  /** The body of an operation that streams it, in pieces. A server gives it in addition to `body`. */
  stream?: (allowed: BodyAllowance) => AsyncIterable<Uint8Array>
  signal?: AbortSignalLike
  /** Address of the client, as a server sees it. */
  remote?: string | undefined
  /** True if it came to the server over TLS. */
  secure?: boolean | undefined
  /** Further fields for the server's log, such as the user. The answering side fills them. Never a secret. */
  logged?: Record<string, string>
  /** The origin by which browsers know the server, if it differs from the Host header. */
  publicOrigin?: string | undefined
}

/** How much of a body is read. */
export interface BodyAllowance {
  /** bytes */
  limit: number
  /** The error beyond the limit. */
  beyond: () => Error
  /** The user of the session that sends the request; null without a session. */
  userId: string | null
}

export interface ApiResponse {
  status: number
  /** by lower-case name */
  headers: Readonly<Record<string, string>>
  /** The Set-Cookie headers, of which there may be several. */
  cookies?: readonly string[]
  /** JSON text, or null for none */
  body: string | null
  /** Text that is sent while it is made, in place of a body. One that is not read to its end is closed. */
  stream?: AsyncIterable<string>
  /** The same of bytes. */
  bytes?: AsyncIterable<Uint8Array>
}

/** The part of AbortSignal that travels through the client. */
export interface AbortSignalLike {
  readonly aborted: boolean
}

/** Carries one request to a control plane: over the network, or into core directly. */
export type Transport = (
  request: ApiRequest & { body?: string | Uint8Array<ArrayBuffer> },
) => Promise<ApiResponse>

/** The bytes of an answer that sends some, in pieces that stay as they are. */
export async function piecesOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of bytes) pieces.push(new Uint8Array(piece))
  return pieces
}

/** The text of an answer, of a stream all that it sends. */
export async function textOf({ body, stream }: ApiResponse): Promise<string | null> {
  if (!stream) return body
  let text = ''
  for await (const piece of stream) text += piece
  return text
}
