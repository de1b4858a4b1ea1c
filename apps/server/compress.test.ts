import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressedPage } from './compress.ts'
import type { Reply } from './reply.ts'

const text = `<!doctype html><title>Zürich – 東京</title>${'<p>a row</p>'.repeat(400)}`
const page: Reply = { kind: 'page', status: 200, headers: { 'cache-control': 'no-store' }, body: text }

describe('a page', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip, deflate', gunzipSync],
    ['gzip', 'br;q=0, gzip', gunzipSync],
  ] as const)('is sent in %s to a client that accepts %s', async (encoding, accepted, read) => {
    const { headers, body } = await compressedPage(page, accepted)
    expect(headers).toEqual({
      'cache-control': 'no-store',
      'content-encoding': encoding,
      vary: 'accept-encoding',
    })
    expect(read(body as Uint8Array).toString()).toBe(text)
    expect(body?.length).toBeLessThan(text.length / 10)
  })

  it.each([undefined, '', 'identity', 'deflate', 'br;q=0, gzip;q=0'])(
    'stays as it is for a client that accepts %s',
    async (accepted) => {
      const { headers, body } = await compressedPage(page, accepted)
      expect(headers).toEqual({ 'cache-control': 'no-store', vary: 'accept-encoding' })
      expect(body).toBe(text)
    },
  )

  it('of a few bytes stays as it is', async () => {
    const small = { ...page, body: '<!doctype html>' }
    expect(await compressedPage(small, 'br')).toBe(small)
  })
})

it('a file, which is compressed beforehand, and an answer of the API stay as they are', async () => {
  for (const reply of [
    { ...page, body: Buffer.from(text) },
    { ...page, kind: 'api' as const },
    { ...page, body: null },
  ])
    expect(await compressedPage(reply, 'br')).toBe(reply)
})
