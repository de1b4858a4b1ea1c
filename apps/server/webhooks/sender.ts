/**
 * Sends alerts to webhooks over HTTP. The address is checked when the connection is made, after the name is resolved, so
 * that a name cannot lead to an address that is refused. Decision 0065.
 */
import { lookup } from 'node:dns'
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { messageOf } from '@purlin/databases/error-codes'
import {
  SendInterrupted,
  type WebhookOutcome,
  type WebhookRequest,
  type WebhookSender,
} from '@purlin/core/ports'
import { createAddressCheck, type AddressRules } from './addresses.ts'

export interface SenderOptions extends AddressRules {
  /** ms; 10 s unless given */
  connectMs?: number
  /** ms; 30 s unless given */
  totalMs?: number
  /** Resolves names; the resolver of the system unless given. */
  resolve?: typeof lookup
  /** Certificate authorities (PEM) to trust instead of those of Node. */
  ca?: string
}

/** Bytes of the body of an answer that are read and ignored; then the connection is closed. */
const mostIgnored = 64 * 1024

class Refused extends Error {}
class TimedOut extends Error {}

/** Makes the sender of a server. */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const isAllowed = createAddressCheck(options)
  const { resolve = lookup, connectMs = 10_000, totalMs = 30_000, ca } = options
  const running = new Set<AbortController>()

  const checkedLookup: LookupFunction = (host, how, done) => {
    resolve(host, { ...how, all: true }, (error, found) => {
      if (error) return done(error, '')
      const allowed = found.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (!first) return done(refusal(host, found[0]?.address), '')
      if (how.all) return done(null, allowed)
      return done(null, first.address, first.family)
    })
  }

  async function post(request: WebhookRequest, signal: AbortSignal): Promise<WebhookOutcome> {
    const url = new URL(request.url)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // Addresses are not looked up.
    if (isIP(host) !== 0 && !isAllowed(host)) throw refusal(host, host)
    return exchange({
      url,
      request,
      options: { signal, lookup: checkedLookup, ...(ca ? { ca } : {}) },
      connectMs,
    })
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

const refusal = (host: string, address = 'no address') =>
  new Refused(
    `${host === address ? address : `${host} resolves to ${address}, which`} is not allowed for webhooks: ` +
      'an operator can allow its network with --webhooks-allow',
  )

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
