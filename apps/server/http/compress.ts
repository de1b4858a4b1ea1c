/** Bodies that are made for one request, compressed if the client can read that (RFC 9110, section 12.5.3). */
import { LRUCache } from 'lru-cache'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { MiB } from '@purlin/contract/rules/limits'
import type { AnswerKind } from './headers.ts'
import { encodingFor } from '../pages/folder.ts'
import type { Reply } from './reply.ts'

/** Bytes from which on a body is worth it. Most answers of the API are smaller. */
const worthIt: Partial<Record<AnswerKind, number>> = { page: 1024, api: 2048 }
// About a millisecond for 50 kB, on a separate thread.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const encoders = {
  br: (body: string | Uint8Array) => promisify(brotliCompress)(body, brotliOptions),
  gzip: (body: string | Uint8Array) => promisify(gzip)(body),
}
type Encoding = keyof typeof encoders
const encodings = Object.keys(encoders)

const maxCachedBytes = 16 * MiB
const maxCachedText = 256 * 1024

/** Compresses texts and caches those that were used last, because the same answers are sent many times. */
function createCache(encode: (body: string) => Promise<Uint8Array>) {
  const cache = new LRUCache<string, Promise<Uint8Array>>({
    maxSize: maxCachedBytes,
    // A text with any character beyond Latin-1 takes two bytes for each. The compressed form is smaller than the text.
    sizeCalculation: (_encoded, body) => 3 * body.length,
  })
  return (body: string): Promise<Uint8Array> => {
    if (body.length > maxCachedText) return encode(body)
    const known = cache.get(body)
    if (known) return known
    const encoded = encode(body)
    encoded.catch(() => cache.delete(body))
    cache.set(body, encoded)
    return encoded
  }
}
const cache = { br: createCache(encoders.br), gzip: createCache(encoders.gzip) }

const isOurs = (encoding: string | null): encoding is Encoding => encoding === 'br' || encoding === 'gzip'

/** The same page or answer of the API in the best encoding that the client accepts. Files stay as they are. */
export async function compressed(reply: Reply, acceptEncoding: string | undefined): Promise<Reply> {
  const { kind, headers, body } = reply
  const isMade = typeof body === 'string' || (kind === 'api' && body !== null)
  if (!isMade || body.length < (worthIt[kind] ?? Infinity) || 'content-encoding' in headers) return reply
  const varied = { ...headers, vary: 'accept-encoding' }
  const encoding = encodingFor(acceptEncoding ?? null, encodings)
  if (!isOurs(encoding)) return { ...reply, headers: varied }
  return {
    ...reply,
    headers: { ...varied, 'content-encoding': encoding },
    // A page is made for one request.
    body:
      kind === 'api' && typeof body === 'string'
        ? await cache[encoding](body)
        : await encoders[encoding](body),
  }
}
