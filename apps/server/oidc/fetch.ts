/** The requests of the libraries, with the limits of all requests to addresses that tenants name. */
import { type createFetching, NotFetched } from '../webhooks/fetching.ts'

interface Sending {
  method: string
  headers: Record<string, string>
  body?: unknown
}

/** As `fetch`, for short texts. It throws NotFetched, also for a server that has failed. */
export type Fetching = (url: string, sending: Sending) => Promise<Response>

/** Returns the function that the libraries call. */
export const fetchBy =
  (fetching: ReturnType<typeof createFetching>): Fetching =>
  async (url, { method, headers, body }) => {
    // The libraries send forms.
    const form = body instanceof URLSearchParams ? { body: body.toString() } : {}
    const { status, headers: received, bytes } = await fetching(url, { method, headers, ...form })
    if (status >= 500) throw new NotFetched(`it answers with status ${status}`)
    const type = received['content-type']
    // A body is an error for some of the other states.
    const isBare = status < 200 || status === 204 || status === 304
    return new Response(isBare ? null : new Uint8Array(bytes), {
      status: Math.max(status, 200),
      headers: type === undefined ? {} : { 'content-type': type },
    })
  }
