/** Bodies that are made for one request, compressed if the client can read that (RFC 9110, section 12.5.3). */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { encodingFor } from './static.ts'
import type { Reply } from './reply.ts'

const worthIt = 1024
// About a millisecond for 50 kB, on a thread of its own.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const encoders = {
  br: (body: string) => promisify(brotliCompress)(body, brotliOptions),
  gzip: (body: string) => promisify(gzip)(body),
}
const encodings = Object.keys(encoders)

/** The same page in the best encoding that the client accepts. Other answers and files stay as they are. */
export async function compressedPage(reply: Reply, acceptEncoding: string | undefined): Promise<Reply> {
  const { kind, headers, body } = reply
  if (kind !== 'page' || typeof body !== 'string' || body.length < worthIt) return reply
  const varied = { ...headers, vary: 'accept-encoding' }
  const encoding = encodingFor(acceptEncoding ?? null, encodings)
  if (encoding !== 'br' && encoding !== 'gzip') return { ...reply, headers: varied }
  return {
    ...reply,
    headers: { ...varied, 'content-encoding': encoding },
    body: await encoders[encoding](body),
  }
}
