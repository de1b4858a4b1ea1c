/**
 * Fetches files of images from addresses that users name. Each address of a chain of redirects is checked when its
 * connection is made. Decision 0084.
 */
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { imageAddressProblem } from '@purlin/contract/rules/images/imports'
import { NotDownloaded, type Download, type DownloadFrom, type Downloads } from '@purlin/core/ports'
import { messageOf, systemCodeOf } from '@purlin/databases/error-codes'
import { privateNetworks } from '../webhooks/addresses.ts'
import { createConnecting, RefusedAddress, type ConnectingOptions } from '../webhooks/connecting.ts'
import { oneLine } from '../webhooks/fetching.ts'

const mostRedirects = 5

/** `silentMs` is the time without a byte after which a server has failed, 30 s unless given. */
export type DownloadOptions = ConnectingOptions & { silentMs?: number }

export function createDownloads(options: DownloadOptions): Downloads {
  const connectTo = createConnecting({ ...options, refused: [...privateNetworks, ...options.refused] })
  const { silentMs = 30_000 } = options
  const stopping = new AbortController()

  async function get(url: URL, from: DownloadFrom | undefined): Promise<IncomingMessage> {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const outgoing = send(url, { ...connectTo(url), agent: false, signal: stopping.signal })
    outgoing.setHeader('user-agent', 'purlin-images')
    outgoing.setHeader('accept-encoding', 'identity')
    if (from) {
      outgoing.setHeader('range', `bytes=${from.offset}-`)
      outgoing.setHeader('if-range', from.validator)
    }
    outgoing.setTimeout(silentMs, () =>
      outgoing.destroy(new Error(`The server sent nothing for ${silentMs / 1000} seconds`)),
    )
    outgoing.on('error', reject)
    outgoing.once('response', resolve)
    outgoing.end()
    return promise
  }

  async function follow(address: string, from: DownloadFrom | undefined): Promise<IncomingMessage> {
    let url = checked(address)
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const response = await get(url, from)
      const { statusCode: status = 0, headers } = response
      if (status < 300 || status >= 400 || headers.location === undefined) return response
      response.destroy()
      url = checked(URL.parse(headers.location, url)?.href ?? '')
    }
    throw new NotDownloaded(`The server redirects more than ${mostRedirects} times`, { mayPass: false })
  }

  return {
    async open(address, from) {
      try {
        return answerOf(await follow(address, from), from)
      } catch (error) {
        throw asNotDownloaded(error)
      }
    },
    stop: () => stopping.abort(),
  }
}

function checked(address: string): URL {
  const url = URL.parse(address)
  const problem = url ? imageAddressProblem(url.href) : 'The server redirects to no address of the web'
  if (url && problem === undefined) return url
  throw new NotDownloaded(`${problem}`, { mayPass: false })
}

function asNotDownloaded(error: unknown): NotDownloaded {
  if (error instanceof NotDownloaded) return error
  // Neither message has the address that a name leads to: names may be those of a network that is hidden.
  if (error instanceof RefusedAddress)
    return new NotDownloaded('This address is not allowed', { mayPass: false, cause: error })
  const code = systemCodeOf(error)
  const message = unreachable.test(code ?? '') ? `The server cannot be reached (${code})` : messageOf(error)
  return new NotDownloaded(oneLine(message), { mayPass: true, cause: error })
}

const unreachable = /^E(?:CONN|HOST|NET|TIMEDOUT|ADDR|ACCES|PERM)/

const again = new Set([408, 425, 429])

function answerOf(response: IncomingMessage, from: DownloadFrom | undefined): Download {
  const { statusCode: status = 0, headers } = response
  const isPart = status === 206 && from !== undefined
  if (status !== 200 && !isPart) {
    response.destroy()
    // A range that is refused was of another file.
    const mayPass = status >= 500 || again.has(status) || (status === 416 && from !== undefined)
    throw new NotDownloaded(`The server answered with status ${status}`, { mayPass })
  }
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '')
  const offset = isPart ? Number(range?.[1] ?? NaN) : 0
  if (isPart && offset !== from.offset) {
    response.destroy()
    throw new NotDownloaded('The server answered with another part of the file', { mayPass: true })
  }
  const length = headers['content-length']
  const whole = isPart ? range?.[2] : length
  return {
    offset,
    size: whole === undefined || whole === '*' ? null : Number(whole),
    validator: validatorOf(headers),
    bytes: bytesOf(response),
  }
}

/** A weak ETag does not say that the bytes are the same (RFC 9110, section 13.1.5). */
function validatorOf({ etag, 'last-modified': modified }: IncomingMessage['headers']): string | null {
  const strong = etag !== undefined && !etag.startsWith('W/') ? etag : undefined
  return strong ?? modified ?? null
}

async function* bytesOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of response as AsyncIterable<Buffer>) yield bytes
  } catch (error) {
    throw asNotDownloaded(error)
  } finally {
    response.destroy()
  }
}
