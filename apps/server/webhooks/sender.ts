/**
 * Sends alerts to webhooks over HTTP. The address is checked when the connection is made, after the name is resolved, so
 * that a name cannot lead to an address that is refused. Decision 0065.
 */
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { messageOf } from '@purlin/databases/error-codes'
import {
  SendInterrupted,
  type WebhookOutcome,
  type WebhookRequest,
  type WebhookSender,
} from '@purlin/core/ports'
import { type ConnectingOptions, createConnecting } from './connecting.ts'

export interface SenderOptions extends ConnectingOptions {
  /** ms; 10 s unless given */
  connectMs?: number
  /** ms; 30 s unless given */
  totalMs?: number
}

/** Bytes of the body of an answer that are read and ignored; then the connection is closed. */
const mostIgnored = 64 * 1024

class TimedOut extends Error {}

/** Makes the sender of a server. */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const connectTo = createConnecting(options)
  const { connectMs = 10_000, totalMs = 30_000 } = options
  const running = new Set<AbortController>()

  async function post(request: WebhookRequest, signal: AbortSignal): Promise<WebhookOutcome> {
    const url = new URL(request.url)
    return exchange({ url, request, options: { ...connectTo(url), signal }, connectMs })
  }

  return {
    async send(request) {
      const stopped = new AbortController()
      running.add(stopped)
      const timeout = AbortSignal.timeout(totalMs)
      try {
        return await post(request, AbortSignal.any([stopped.signal, timeout]))
      } catch (error) {
        if (stopped.signal.aborted) throw new SendInterrupted('the server is stopping')
        if (timeout.aborted)
          return { result: 'failed_timeout', reason: `no answer within ${totalMs / 1000} seconds` }
        if (error instanceof TimedOut) return { result: 'failed_timeout', reason: error.message }
        return { result: 'failed_unreachable', reason: messageOf(error).slice(0, 500) }
      } finally {
        running.delete(stopped)
      }
    },
    stop: () => {
      for (const one of running) one.abort()
    },
  }
}

interface Exchange {
  url: URL
  request: WebhookRequest
  options: RequestOptions & { ca?: string }
  connectMs: number
}

/** Sends a request on a new connection and returns the status of the answer. */
function exchange({ url, request, options, connectMs }: Exchange): Promise<WebhookOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<WebhookOutcome>()
  const isSecure = url.protocol === 'https:'
  const body = Buffer.from(request.body)
  const send = isSecure ? requestHttps : requestHttp
  const outgoing = send(url, { ...options, method: 'POST', agent: false })
  const repeated = Map.groupBy(request.headers, ([name]) => name)
  for (const [name, values] of repeated)
    outgoing.setHeader(
      name,
      values.map(([, value]) => value),
    )
  outgoing.setHeader('content-length', body.length)
  outgoing.setHeader('user-agent', 'purlin-webhooks')
  const timer = setTimeout(
    () => outgoing.destroy(new TimedOut(`no connection within ${connectMs / 1000} seconds`)),
    connectMs,
  )
  outgoing.once('socket', (socket) =>
    socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer)),
  )
  outgoing.once('close', () => clearTimeout(timer))
  outgoing.on('error', reject)
  outgoing.once('response', (response) => {
    resolve({ status: response.statusCode ?? 0 })
    ignore(response)
  })
  outgoing.end(body)
  return promise
}

/** Reads the beginning of a body, so that a short answer ends as its sender expects. */
function ignore(response: IncomingMessage): void {
  let read = 0
  response.on('error', () => undefined)
  response.on('data', (bytes: Buffer) => {
    read += bytes.length
    if (read > mostIgnored) response.destroy()
  })
}
