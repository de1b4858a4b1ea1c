/** Bodies that are made for one request, compressed if the client can read that (RFC 9110, section 12.5.3). */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { MiB } from '@purlin/contract/rules/limits'
import type { AnswerKind } from './headers.ts'
import { encodingFor } from '../pages/static.ts'
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

/** Compresses texts, of which those that came last are kept: the same answers are given again and again. */
function createCache(encode: (body: string) => Promise<Uint8Array>) {
  const cache = new Map<string, { encoded: Promise<Uint8Array>; bytes: number }>()
  let bytes = 0
  const drop = (body: string) => {
    bytes -= cache.get(body)?.bytes ?? 0
    cache.delete(body)
  }
  return (body: string): Promise<Uint8Array> => {
    if (body.length > maxCachedText) return encode(body)
    const known = cache.get(body)
    if (known) {
      cache.delete(body)
      cache.set(body, known)
      return known.encoded
    }
    // Text with characters other than single-byte ones takes twice as much; the compressed form is smaller.
    const one = { encoded: encode(body), bytes: 3 * body.length }
    one.encoded.catch(() => drop(body))
    cache.set(body, one)
    bytes += one.bytes
    for (const oldest of cache.keys()) {
      if (bytes <= maxCachedBytes) break
      drop(oldest)
    }
    return one.encoded
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
