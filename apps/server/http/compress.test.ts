import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressed } from './compress.ts'
import type { Reply } from './reply.ts'

const text = `<!doctype html><title>Zürich – 東京</title>${'<p>a row</p>'.repeat(400)}`
const page: Reply = { kind: 'page', status: 200, headers: { 'cache-control': 'no-store' }, body: text }

describe('a page', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip, deflate', gunzipSync],
    ['gzip', 'br;q=0, gzip', gunzipSync],
  ] as const)('is sent in %s to a client that accepts %s', async (encoding, accepted, read) => {
    const { headers, body } = await compressed(page, accepted)
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
      const { headers, body } = await compressed(page, accepted)
      expect(headers).toEqual({ 'cache-control': 'no-store', vary: 'accept-encoding' })
      expect(body).toBe(text)
    },
  )

  it('of a few bytes stays as it is', async () => {
    const small = { ...page, body: '<!doctype html>' }
    expect(await compressed(small, 'br')).toBe(small)
  })
})

describe('an answer of the API', () => {
  const rows = Array.from({ length: 200 }, (_, i) => ({ name: `web-${i}`, description: 'Zürich – 東京' }))
  const answer: Reply = { kind: 'api', status: 200, headers: { etag: '"1"' }, body: JSON.stringify(rows) }

  it('is compressed, whether it is text or bytes, once and again', async () => {
    for (const body of [answer.body, answer.body, Buffer.from(String(answer.body))]) {
      const sent = await compressed({ ...answer, body }, 'gzip, br')
      expect(sent.headers).toEqual({ etag: '"1"', 'content-encoding': 'br', vary: 'accept-encoding' })
      expect(JSON.parse(brotliDecompressSync(sent.body as Uint8Array).toString())).toEqual(rows)
      const zipped = await compressed({ ...answer, body }, 'gzip')
      expect(JSON.parse(gunzipSync(zipped.body as Uint8Array).toString())).toEqual(rows)
    }
  })

  it('is made once for those who ask for the same', async () => {
    const [first, second] = await Promise.all([compressed(answer, 'br'), compressed(answer, 'br')])
    expect(second.body).toBe(first.body)
  })

  it('that is short, and none at all, stay as they are', async () => {
    for (const body of ['{}', null, 'x'.repeat(2047)]) {
      const short = { ...answer, body }
      expect(await compressed(short, 'br')).toBe(short)
    }
  })
})

it('a file, which is compressed beforehand, stays as it is', async () => {
  for (const reply of [
    { ...page, body: Buffer.from(text) },
    { ...page, body: null },
  ])
    expect(await compressed(reply, 'br')).toBe(reply)
})
