/** Requests the metadata of identity providers over HTTP. */
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { messageOf } from '@purlin/databases/error-codes'
import { limits } from '@purlin/contract/rules/limits'
import type { FetchedMetadata } from '@purlin/core/ports'
import { type ConnectingOptions, createConnecting } from '../webhooks/connecting.ts'
import { oneLine } from './xml.ts'

/** Returns the request of the port. `totalMs` is 5 s unless given. */
export function createFetching(options: ConnectingOptions & { totalMs?: number }) {
  const connectTo = createConnecting(options)
  const { totalMs = limits.saml.fetchMs } = options

  return async (address: string): Promise<FetchedMetadata> => {
    const signal = AbortSignal.timeout(totalMs)
    try {
      const url = URL.parse(address)
      if (!url || !/^https?:$/.test(url.protocol)) return { failure: 'it is no address of the web' }
      const send = url.protocol === 'https:' ? requestHttps : requestHttp
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
      const outgoing = send(url, { ...connectTo(url), signal, agent: false })
      outgoing.setHeader('user-agent', 'purlin-metadata')
      outgoing.on('error', reject)
      outgoing.once('response', resolve)
      outgoing.end()
      return await read(await promise)
    } catch (error) {
      if (signal.aborted) return { failure: `no answer within ${totalMs / 1000} seconds` }
      return { failure: oneLine(messageOf(error)) }
    }
  }
}

async function read(response: IncomingMessage): Promise<FetchedMetadata> {
  const { statusCode: status = 0 } = response
  if (status !== 200) {
    response.on('error', () => undefined)
    response.destroy()
    return { status }
  }
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece)
    length += piece.length
    // Leaving the loop closes the connection.
    if (length > limits.saml.metadata) return { failure: `it has more than ${limits.saml.metadata} bytes` }
  }
  return { xml: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)) }
}
