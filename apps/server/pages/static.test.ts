import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { precompress } from './precompress.ts'
import { encodingFor } from './folder.ts'
import { openStatic } from './static.ts'
import { makeDist } from '../testing/test-servers.ts'

let dist: string
beforeEach(() => (dist = makeDist()))
afterEach(() => rmSync(dist, { recursive: true, force: true }))

const plain = { acceptEncoding: null, ifNoneMatch: null }
const accepting = (acceptEncoding: string) => ({ acceptEncoding, ifNoneMatch: null })
const script = '/assets/app-1a2b.js'
const textOf = (body: string | Uint8Array | null) => Buffer.from(body ?? '').toString()

describe('files of the console', () => {
  it('with a hash in their name are kept for a year', async () => {
    expect(await openStatic(dist).file(script, plain)).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'max-age=31536000, immutable',
      },
    })
  })

  it('without one are revalidated, and sent when they changed', async () => {
    const files = openStatic(dist)
    const first = await files.file('/favicon.svg', plain)
    expect(first?.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'image/svg+xml' })
    const etag = first?.headers['etag'] ?? ''
    expect(await files.file('/favicon.svg', { ...plain, ifNoneMatch: etag })).toMatchObject({
      status: 304,
      body: null,
    })
    expect(await files.file('/favicon.svg', { ...plain, ifNoneMatch: 'W/"old"' })).toMatchObject({
      status: 200,
    })
  })

  it('without one are read again when they changed, and gone when they are', async () => {
    const files = openStatic(dist)
    const path = join(dist, 'favicon.svg')
    const first = await files.file('/favicon.svg', plain)
    const etag = first?.headers['etag'] ?? ''
    expect(await files.file('/favicon.svg', plain)).toEqual(first)
    const others = { ...plain, ifNoneMatch: `"other", ${etag}` }
    expect(await files.file('/favicon.svg', others)).toMatchObject({ status: 304 })
    writeFileSync(path, '<svg><!-- other --></svg>')
    utimesSync(path, new Date(), new Date(Date.now() + 5000))
    const changed = await files.file('/favicon.svg', { ...plain, ifNoneMatch: etag })
    expect(changed).toMatchObject({ status: 200 })
    expect(textOf(changed?.body ?? null)).toContain('other')
    expect(changed?.headers['etag']).not.toBe(etag)
    rmSync(path)
    expect(await files.file('/favicon.svg', plain)).toBeNull()
  })

  it('are only those of the folder, of listed types, without dots in front', async () => {
    writeFileSync(join(dist, 'assets/secret.json'), '{}')
    writeFileSync(join(dist, '.env.txt'), 'x')
    writeFileSync(join(dist, '.vite/manifest.txt'), 'x')
    symlinkSync('/etc/hostname', join(dist, 'assets/link.txt'))
    const files = openStatic(dist)
    const none = [
      '/assets/secret.json',
      '/.env.txt',
      '/.vite/manifest.txt',
      '/assets/link.txt',
      '/assets',
      '/assets/',
      '/index.html',
      '/../../../etc/passwd',
      '/assets/../favicon.svg',
      '/assets/%2e%2e/favicon.svg',
      '/assets\\app-1a2b.js',
      '/__proto__',
    ]
    for (const path of none) expect([path, await files.file(path, plain)]).toEqual([path, null])
  })

  it('a new build is noticed with the next page', async () => {
    const files = openStatic(dist)
    writeFileSync(join(dist, 'assets/new.css'), 'a{}')
    utimesSync(join(dist, 'index.html'), new Date(), new Date(Date.now() + 5000))
    files.page(200)
    expect(await files.file('/assets/new.css', plain)).toMatchObject({ status: 200 })
  })

  it('that were never built are explained', async () => {
    const files = openStatic(join(dist, 'nowhere'))
    const page = files.page(200)
    expect(page.status).toBe(503)
    expect(page.body).toContain('npm start')
    expect(await files.file(script, plain)).toBeNull()
  })
})

describe('compression', () => {
  it('is made once and chosen by what the browser takes', async () => {
    await precompress(dist)
    const files = openStatic(dist)
    const original = textOf((await files.file(script, plain))?.body ?? null)
    const br = await files.file(script, accepting('gzip, deflate, br'))
    const gz = await files.file(script, accepting('gzip'))
    expect(br?.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(br?.body as Uint8Array).toString()).toBe(original)
    expect(gz?.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(gz?.body as Uint8Array).toString()).toBe(original)
    const none = await files.file(script, accepting('br;q=0, identity'))
    expect(none?.headers).not.toHaveProperty('content-encoding')
    expect(none?.headers).toMatchObject({ vary: 'accept-encoding' })
  })

  it('does not compress small files and serves no variant by its name', async () => {
    await precompress(dist)
    const files = openStatic(dist)
    expect((await files.file('/favicon.svg', accepting('br')))?.headers).not.toHaveProperty(
      'content-encoding',
    )
    expect(await files.file(`${script}.gz`, plain)).toBeNull()
  })

  it.each([
    [null, []],
    ['', []],
    ['gzip, br;q=1.0', ['gzip', 'br']],
    ['GZIP;q=0.5, br;q=0, zstd;q=0.000', ['gzip']],
  ])('Accept-Encoding %j', (header, expected) => {
    const accepted = ['gzip', 'br', 'zstd'].filter((coding) => encodingFor(header, [coding]) !== null)
    expect(accepted).toEqual(expected)
  })
})
