import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import type { lookup } from 'node:dns'
import { createServer, type IncomingMessage, type ServerResponse, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { recogniseImage } from '@purlin/contract/rules/images/formats'
import { MiB } from '@purlin/contract/rules/limits'
import type { DownloadFrom, PackedFormat } from '@purlin/core/ports'
import { openWorld } from '@purlin/core/testing/world'
import { openFiles, pathOfFile } from '@purlin/databases/files/in-files'
import { lacks } from '@purlin/sleds/testing/skips'
import { createDownloads, type DownloadOptions } from './downloads.ts'
import { createUnpacker } from './unpacker.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections()
})
const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) & 0xff))

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  open.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const allowed = ['127.0.0.0/8']
async function fetchAll(url: string, more: Partial<DownloadOptions> & { from?: DownloadFrom } = {}) {
  const { from, ...options } = more
  const download = await createDownloads({ refused: [], allowed, ...options }).open(url, from)
  const pieces: Uint8Array[] = []
  for await (const piece of download.bytes) pieces.push(piece)
  return { ...download, bytes: Buffer.concat(pieces) }
}
const failure = (url: string, more?: Parameters<typeof fetchAll>[1]): Promise<unknown> =>
  fetchAll(url, more).then(
    () => 'fetched',
    (error: unknown) => error,
  )

const refusal = 'This address is not allowed'

/** Of the metadata service of clouds. */
const metadata = '169.254.169.254'

describe('a file that is fetched', () => {
  it('comes with its size and a strong validator, and continues at an offset', async () => {
    const ranges: unknown[] = []
    const url = await serve(({ headers: { range, 'if-range': validator } }, response) => {
      ranges.push([range, validator])
      response.setHeader('etag', '"v1"')
      if (range === undefined) return void response.setHeader('content-length', bytes.length).end(bytes)
      response.writeHead(206, { 'content-range': `bytes 1000-${bytes.length - 1}/${bytes.length}` })
      response.end(bytes.subarray(1000))
    })
    const common = { size: bytes.length, validator: '"v1"' }
    expect(await fetchAll(url)).toEqual({ ...common, offset: 0, bytes })
    const from = { offset: 1000, validator: '"v1"' }
    expect(await fetchAll(url, { from })).toEqual({ ...common, offset: 1000, bytes: bytes.subarray(1000) })
    expect(ranges).toEqual([
      [undefined, undefined],
      ['bytes=1000-', '"v1"'],
    ])
  })

  it('may be behind redirects, each of which is checked', async () => {
    const url = await serve(({ url: path = '' }, response) => {
      const to: Record<string, string> = {
        '/a': '/b',
        '/evil': `http://${metadata}/latest`,
        '/loop': '/loop',
      }
      const location = to[path]
      response.setHeader('etag', 'W/"weak"')
      if (location === undefined) response.end('found')
      else response.writeHead(302, { location }).end()
    })
    expect(await fetchAll(`${url}/a`)).toMatchObject({
      size: 5,
      validator: null,
      bytes: Buffer.from('found'),
    })
    expect(await failure(`${url}/evil`)).toMatchObject({
      message: refusal,
      mayPass: false,
    })
    expect(await failure(`${url}/loop`)).toMatchObject({ message: /redirects more than/, mayPass: false })
    expect(await failure(`${url}/a`, { allowed: [] })).toMatchObject({
      message: refusal,
      mayPass: false,
    })
  })

  it('comes from no private network, and a refusal does not name the address', async () => {
    const hosts = ['10.1.2.3', '172.31.0.1', '192.168.0.1', '100.64.0.1', '[fd00::1]', '[::ffff:10.1.2.3]']
    for (const host of hosts)
      expect(await failure(`http://${host}/x`), host).toMatchObject({ message: refusal, mayPass: false })
    const found = [{ address: '10.1.2.3', family: 4 }]
    const resolve = ((_host: string, _how: object, done: (error: null, all: typeof found) => void) =>
      done(null, found)) as unknown as typeof lookup
    expect(await failure('http://hidden.test/x', { resolve })).toMatchObject({ message: refusal })
    // Nothing listens there.
    expect(await failure('http://127.0.0.1:1/x')).toMatchObject({
      message: 'The server cannot be reached (ECONNREFUSED)',
      mayPass: true,
    })
    const local = await serve((_, response) => response.end('found'))
    const all = { allowed: ['127.0.0.0/8'], refused: ['127.0.0.0/8'] }
    expect((await fetchAll(local, all)).size).toBe(5)
  })

  it('has failed for now if its server is silent, breaks off or is overloaded, and for good if it is not there', async () => {
    const url = await serve(({ url: path }, response) => {
      if (path === '/silent') return
      if (path === '/gone') return void response.writeHead(404).end()
      if (path === '/busy') return void response.writeHead(503).end()
      response.setHeader('content-length', 10).write('half', () => response.destroy())
    })
    expect(await failure(`${url}/silent`, { silentMs: 50 })).toMatchObject({
      mayPass: true,
      message: /sent nothing/,
    })
    expect(await failure(`${url}/busy`)).toMatchObject({ mayPass: true })
    expect(await failure(`${url}/broken`)).toMatchObject({ mayPass: true })
    expect(await failure(`${url}/gone`)).toMatchObject({
      mayPass: false,
      message: 'The server answered with status 404',
    })
  })
})

describe('a file that is unpacked', () => {
  const disk = Buffer.alloc(3 * 1024 * 1024)
  bytes.copy(disk, 1024 * 1024)
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'purlin-unpack-'))
    writeFileSync(join(folder, 'disk.raw'), disk)
    writeFileSync(join(folder, 'long'), gzipSync(randomBytes(4 * MiB)))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const path = (name: string) => join(folder, name)
  async function unpack(
    name: string,
    format: PackedFormat,
    { lost, ...programs }: { lost?: Promise<void>; qemuImg?: string; xz?: string } = {},
  ): Promise<Buffer> {
    const unpacker = createUnpacker({ pathOf: path, folder: path('unpacked'), programs })
    const pieces: Uint8Array[] = []
    for await (const piece of unpacker.unpack(name, format, lost)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const program = (name: string, script: string): string => {
    writeFileSync(path(name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return path(name)
  }
  const noQemu = spawnSync('qemu-img', ['--version']).status !== 0 && 'install qemu-utils'

  it('has the bytes of its disk, also in several frames, and is refused if it is cut off', async () => {
    writeFileSync(path('gz'), gzipSync(disk))
    const frames = [disk.subarray(0, 1000), disk.subarray(1000)].map((part) => zstdCompressSync(part))
    writeFileSync(path('zst'), Buffer.concat(frames))
    writeFileSync(path('xz'), execFileSync('xz', ['--stdout', '-0', path('disk.raw')]))
    const formats = { gz: 'gzip', zst: 'zstd', xz: 'xz' } as const
    for (const [name, format] of Object.entries(formats)) {
      expect((await unpack(name, format)).equals(disk), name).toBe(true)
      truncateSync(path(name), readFileSync(path(name)).length - 20)
      await expect(unpack(name, format), name).rejects.toThrow(/is damaged or cut off/)
    }
  })

  it.skipIf(lacks(noQemu)).each(['qcow2', 'vmdk', 'vdi'] as const)(
    'of the form %s is converted',
    async (format) => {
      execFileSync('qemu-img', ['convert', '-O', format, path('disk.raw'), path(format)])
      expect((await unpack(format, format)).equals(disk)).toBe(true)
      // Its tables stay, its data is gone.
      const size = readFileSync(path(format)).length
      truncateSync(path(format), size - 200_000)
      const found = recogniseImage({ bytes: readFileSync(path(format)), size: size - 200_000 })
      // The header of a VDI says how long the file is; files of the other forms have to be read.
      if (format === 'vdi') expect(found).toEqual({ problem: expect.stringContaining('cut off') as string })
      else await expect(unpack(format, format)).rejects.toThrow(/damaged or cut off/)
    },
  )

  it.skipIf(lacks(noQemu))('never reads another file', async () => {
    execFileSync('qemu-img', [
      'create',
      '-q',
      '-f',
      'qcow2',
      '-F',
      'raw',
      '-b',
      path('disk.raw'),
      path('backed'),
    ])
    await expect(unpack('backed', 'qcow2')).rejects.toThrow(/needs another file/)
    const file = openSync(path('garbage'), 'w')
    writeSync(file, 'QFI\u{fb} and then nothing', 0, 'latin1')
    closeSync(file)
    await expect(unpack('garbage', 'qcow2')).rejects.toThrow(/^The qcow2 has version/)
    await expect(unpack('disk.raw', 'vmdk')).rejects.toThrow(/changed while it was read/)
    // A header that changes after it was looked at: the program opens no other file, and its output is not used.
    execFileSync('qemu-img', ['convert', '-O', 'qcow2', path('disk.raw'), path('swapped')])
    const swap = `cat '${path('backed')}' > '${path('swapped')}'`
    const keep = `for last; do :; done; cp "$last" '${path('kept')}'`
    const qemuImg = program(
      'swapping',
      `[ $1 = convert ] && ${swap}; qemu-img "$@" || exit 1; [ $1 = convert ] || exit 0; ${keep}`,
    )
    await expect(unpack('swapped', 'qcow2', { qemuImg })).rejects.toThrow(/changed while it was read/)
    expect(readFileSync(path('kept')).equals(Buffer.alloc(disk.length))).toBe(true)
  })

  it.skipIf(lacks(noQemu))(
    'fails as a whole import if it names a data file, and has its bytes if it does not',
    async () => {
      const create = (name: string, ...options: string[]) =>
        execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', ...options, path(name), '3M'])
      create('named', '-o', `data_file=${path('data')},data_file_raw=on`)
      writeFileSync(path('data'), disk)
      execFileSync('qemu-img', ['convert', '-O', 'qcow2', path('disk.raw'), path('own')])
      const url = await serve(({ url: asked = '' }, response) =>
        response.end(readFileSync(path(asked.slice(1)))),
      )
      const files = path('imports')
      const w = await openWorld({
        imageImports: {
          files: openFiles(files, { most: 64 * MiB, isFull: () => false }),
          downloads: createDownloads({ refused: [], allowed }),
          unpacker: createUnpacker({ pathOf: (id) => pathOfFile(files, id), folder: path('unpacking') }),
        },
      })
      const query = { project: 'demo' }
      const api = w.as('admin')
      for (const name of ['named', 'own']) {
        const source = { type: 'url', url: `${url}/${name}` } as const
        const kind = { os: 'debian', version: '13', blockSize: 512 } as const
        await api.imageImportCreate({ query, body: { ...kind, name, description: '', source, sha256: null } })
      }
      const at = { params: { imageImport: 'named' }, query }
      await vi.waitFor(async () => {
        await w.settle()
        expect(await api.imageImportView(at)).toMatchObject({
          state: 'failed',
          problem: expect.stringContaining('needs another file') as string,
        })
        expect((await api.imageList({ query })).items.map(({ name }) => name)).toContain('own')
      }, 60_000)
      expect((await api.imageList({ query })).items.map(({ name }) => name)).not.toContain('named')
      // None of the bytes of the file that it names were read.
      const layers = await w.world.blobs.list()
      const read = (id: string) => w.world.blobs.read([{ id, hasBytes: true }], 0, disk.length)
      expect(layers).toHaveLength(1)
      expect(Buffer.compare(await read(layers[0] ?? ''), disk)).toBe(0)
      await w.close()
    },
  )

  it('leaves no open files if it is damaged or not wanted any more', async () => {
    const openFiles = () => readdirSync('/proc/self/fd').length
    const broken = { gz: gzipSync(bytes), zst: zstdCompressSync(bytes) }
    // Longer than what is read at once.
    for (const [name, packed] of Object.entries(broken))
      writeFileSync(
        path(`broken-${name}`),
        Buffer.concat([packed.fill(255, 12, 200), Buffer.alloc(MiB, 255)]),
      )
    const before = openFiles()
    for (let i = 0; i < 20; i++) {
      await expect(unpack('broken-gz', 'gzip')).rejects.toThrow(/gzip file is damaged/)
      await expect(unpack('broken-zst', 'zstd')).rejects.toThrow(/zstd file is damaged/)
      // Its reader leaves after the first bytes.
      for await (const _ of createUnpacker({ pathOf: path, folder: path('unpacked') }).unpack('long', 'gzip'))
        break
    }
    await expect.poll(openFiles).toBeLessThanOrEqual(before + 2)
  })

  it('ends its program when the import is not wanted any more', async () => {
    const endless = program('endless', 'exec sleep 600')
    const { promise: lost, resolve } = Promise.withResolvers<void>()
    const unpacked = unpack('disk.raw', 'xz', { xz: endless, lost })
    resolve()
    await expect(unpacked).rejects.toMatchObject({ name: 'AbortError' })
    await expect(unpack('long', 'gzip', { lost })).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('needs the programs, and says which package has them', async () => {
    const programs = { xz: '/nowhere/xz', qemuImg: '/nowhere/qemu-img' }
    const header = Buffer.alloc(72)
    header.write('QFI\u{fb}\0\0\0\u{2}', 'latin1')
    writeFileSync(path('header'), header)
    await expect(unpack('header', 'qcow2', programs)).rejects.toThrow(/has no qemu-img. Install the package/)
    await expect(unpack('disk.raw', 'xz', programs)).rejects.toThrow(/has no xz. Install the package/)
  })
})
