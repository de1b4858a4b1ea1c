/** A request of node:http as core reads it. */
import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import type { TLSSocket } from 'node:tls'
import type { ApiRequest } from '@purlin/core/dispatch'
import { fault } from '@purlin/core/faults'

// What a client still sends after its body was refused is read away for so long, so that it sees why.
const drainMs = 5000

/** Reads a Node request. Behind a proxy of ours, address and scheme come from the headers it sets. */
export class NodeRequest implements ApiRequest {
  readonly method: string
  readonly url: string
  readonly #message: IncomingMessage
  readonly #behindProxy: boolean

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

  text(limit: number): Promise<string> {
    const message = this.#message
    const length = message.headers['content-length']
    if (length === undefined && message.headers['transfer-encoding'] === undefined) return Promise.resolve('')
    if (Number(length ?? 0) > limit) return Promise.reject(refuseRest(message, limit))
    return collect(message, limit)
  }
}

// Proxies may send the whole address; only path and query matter here.
const originForm = (url: string) =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '') || '/'

function collect(message: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    // Chunk by chunk: a large body is then never held as bytes and as text at the same time.
    const decoder = new StringDecoder('utf8')
    let text = ''
    let size = 0
    const brokenOff = () => reject(fault.badBody('the request ended early'))
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) {
        message.off('data', take)
        text = ''
        reject(refuseRest(message, limit))
      } else text += decoder.write(chunk)
    }
    message.on('data', take)
    message.once('end', () => resolve(text + decoder.end()))
    message.once('error', brokenOff)
    message.once('close', brokenOff)
  })
}

function refuseRest(message: IncomingMessage, limit: number): Error {
  message.resume()
  const timer = setTimeout(() => message.socket.destroy(), drainMs).unref()
  message.once('close', () => clearTimeout(timer))
  return fault.bodyTooLarge(limit)
}
