/** Requests to addresses that tenants and operators name, whose short answers are read as a whole. */
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { messageOf } from '@purlin/databases/error-codes'
import { limits } from '@purlin/contract/rules/limits'
import { type ConnectingOptions, createConnecting } from './connecting.ts'

/** An address that did not answer. The message is the reason, for people. */
export class NotFetched extends Error {
  override name = 'NotFetched'
}

export interface Fetched {
  status: number
  headers: IncomingMessage['headers']
  bytes: Buffer
}

interface Sending {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** `totalMs` is 5 s unless given. */
export type FetchingOptions = ConnectingOptions & { totalMs?: number }

/** Returns a function that requests an address, without following redirects. It throws NotFetched. */
export function createFetching(options: FetchingOptions) {
  const connectTo = createConnecting(options)
  const { totalMs = limits.saml.fetchMs } = options

  return async (address: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Fetched> => {
    const signal = AbortSignal.timeout(totalMs)
    try {
      const url = URL.parse(address)
      if (!url || !/^https?:$/.test(url.protocol)) throw new NotFetched('it is no address of the web')
      const send = url.protocol === 'https:' ? requestHttps : requestHttp
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
      const outgoing = send(url, { ...connectTo(url), method, headers, signal, agent: false })
      outgoing.setHeader('user-agent', 'purlin-metadata')
      outgoing.on('error', reject)
      outgoing.once('response', resolve)
      outgoing.end(body)
      return await read(await promise)
    } catch (error) {
      if (error instanceof NotFetched) throw error
      const reason = signal.aborted ? `no answer within ${totalMs / 1000} seconds` : oneLine(messageOf(error))
      throw new NotFetched(reason, { cause: error })
    }
  }
}

async function read(response: IncomingMessage): Promise<Fetched> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece)
    length += piece.length
    // Leaving the loop closes the connection.
    if (length > limits.saml.metadata) throw new NotFetched(`it has more than ${limits.saml.metadata} bytes`)
  }
  const { statusCode: status = 0, headers } = response
  return { status, headers, bytes: Buffer.concat(pieces) }
}

/** The beginning of a message of a library or another server, in one line. */
export const oneLine = (message: string): string =>
  message.replaceAll(/\s+/g, ' ').trim().slice(0, limits.quoted)
