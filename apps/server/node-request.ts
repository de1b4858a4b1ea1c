/** A request of node:http as core reads it. */
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { ApiRequest } from '@purlin/core/dispatch'
import { giveBack } from '@purlin/core/bytes'
import { fault } from '@purlin/core/faults'

// What a client still sends after its body was refused is read away for so long, so that it sees why.
const drainMs = 5000
// Beyond that, a body stays bytes: as a text it would be copied more than once.
const longText = 64 * 1024

/** Reads a Node request. Behind a proxy of ours, address and scheme come from the headers it sets. */
export class NodeRequest implements ApiRequest {
  readonly method: string
  readonly url: string
  readonly #message: IncomingMessage
  readonly #behindProxy: boolean
  #bytes: Buffer | undefined

  constructor(message: IncomingMessage, behindProxy: boolean) {
    this.#message = message
    this.#behindProxy = behindProxy
    this.method = message.method ?? ''
    this.url = originForm(message.url ?? '')
  }

  header(name: string): string | null {
    const value = this.#message.headers[name]
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
  }

  get remote(): string {
    // The proxy adds the last entry; those before it are whatever the client claimed.
    const said = this.#behindProxy ? this.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
    return said || (this.#message.socket.remoteAddress ?? '')
  }

  get secure(): boolean {
    if ((this.#message.socket as TLSSocket).encrypted) return true
    return this.#behindProxy && this.header('x-forwarded-proto') === 'https'
  }

  async body(limit: number): Promise<string | Uint8Array> {
    const message = this.#message
    const length = message.headers['content-length']
    if (length === undefined && message.headers['transfer-encoding'] === undefined) return ''
    if (Number(length ?? 0) > limit) throw refuseRest(message, limit)
    const body = await collect(message, limit)
    if (body.length <= longText) return body.toString()
    this.#bytes = body
    return body
  }

  /** To be called once nobody needs the body any more. */
  end(): void {
    if (this.#bytes) giveBack(this.#bytes)
  }
}

// Proxies may send the whole address; only path and query matter here.
const originForm = (url: string) =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '') || '/'

function collect(message: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    const brokenOff = () => reject(fault.badBody('the request ended early'))
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) {
        message.off('data', take)
        chunks = []
        reject(refuseRest(message, limit))
      } else chunks.push(chunk)
    }
    message.on('data', take)
    message.once('error', brokenOff)
    message.once('close', brokenOff)
    message.once('end', () => {
      message.off('close', brokenOff)
      resolve(join(chunks, size))
    })
  })
}

function join(chunks: readonly Buffer[], size: number): Buffer {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const whole = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
    giveBack(chunk)
  }
  return whole
}

function refuseRest(message: IncomingMessage, limit: number): Error {
  message.resume()
  const timer = setTimeout(() => message.socket.destroy(), drainMs).unref()
  message.once('close', () => clearTimeout(timer))
  return fault.bodyTooLarge(limit)
}
