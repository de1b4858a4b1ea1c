/** A request of node:http as core reads it. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { AbortSignalLike, ApiRequest, BodyAllowance } from '@purlin/contract/http'
import { clientOf, giveBack } from '@purlin/core'
import { hasBody, readBody, streamBody } from './body.ts'
import type { BodyBudget, BodyShare } from './body-budget.ts'
import { type Forwarded, forwardedOf, type OnMisread } from './forwarded.ts'

// Beyond that, a body stays bytes: as a text it would be copied more than once.
const longText = 64 * 1024

// A target with the whole address, as proxies may send it.
const absolute = /^https?:\/\/([^/?#]*)(?=[/?#]|$)/i

/** How requests reach the server. */
export interface Reach {
  /** Address, host and scheme come from the headers that a proxy of ours sets. */
  behindProxy: boolean
  /** The origin under which browsers know the server. */
  publicUrl?: string | undefined
  bodies: BodyBudget
  onMisread: OnMisread
}

/** Reads a Node request. */
export class NodeRequest implements ApiRequest {
  readonly method: string
  readonly url: string
  readonly logged: Record<string, string> = {}
  readonly headers: ApiRequest['headers']
  readonly publicOrigin: string | undefined
  readonly #message: IncomingMessage
  readonly #reach: Reach
  readonly #onBody: () => void
  readonly #forwarded: Forwarded | undefined
  #share: BodyShare | undefined
  #bytes: Buffer | undefined
  /** True once the body has begun to be read. */
  isRead = false

  /** `onBody` is called when the body begins to be read. */
  constructor(message: IncomingMessage, reach: Reach, onBody: () => void = () => undefined) {
    this.#message = message
    this.#reach = reach
    this.#onBody = onBody
    this.method = message.method ?? ''
    this.url = originForm(message.url ?? '')
    this.publicOrigin = reach.publicUrl
    // Node joins repeated headers; the one list, `set-cookie`, is not sent to servers.
    this.headers = message.headers as ApiRequest['headers']
    // RFC 9112, section 3.2.2: a host in the target takes precedence over the Host header.
    if (reach.behindProxy) this.#forwarded = forwardedOf(message.headers, reach.onMisread)
    const host = this.#forwarded?.host ?? absolute.exec(message.url ?? '')?.[1]
    if (host) this.headers = { ...this.headers, host }
  }

  get remote(): string {
    return this.#forwarded?.address ?? this.#message.socket.remoteAddress ?? ''
  }

  get secure(): boolean {
    const { socket } = this.#message
    if ('encrypted' in socket && socket.encrypted) return true
    return this.#forwarded?.isSecure ?? this.#reach.publicUrl?.startsWith('https:') ?? false
  }

  /** Aborted once the client has closed the connection. */
  get signal(): AbortSignalLike {
    const { socket } = this.#message
    return {
      get aborted() {
        return socket.destroyed
      },
    }
  }

  async body(allowed: BodyAllowance): Promise<string | Uint8Array> {
    if (!hasBody(this.#message)) return ''
    this.#share = this.#reach.bodies.share(allowed.userId, clientOf(this.remote))
    const begin = () => {
      this.isRead = true
      this.#onBody()
    }
    const body = await readBody(this.#message, allowed, { share: this.#share, begin })
    // Bytes that are no text are refused where they are parsed.
    if (body.length <= longText && isUtf8(body)) return body.toString()
    this.#bytes = body
    return body
  }

  /** The body while it arrives, of an operation that reads it so: no more of it is in memory than it asks for. */
  stream(allowed: BodyAllowance): AsyncIterable<Uint8Array> {
    return streamBody(this.#message, allowed, () => {
      this.isRead = true
      this.#onBody()
    })
  }

  /** To be called once the body is no longer needed. */
  end(): void {
    this.#share?.release()
    if (this.#bytes) giveBack(this.#bytes)
  }
}

// Proxies may send the whole address; only path and query matter here.
const originForm = (url: string) => (url.startsWith('/') ? url : url.replace(absolute, '') || '/')
