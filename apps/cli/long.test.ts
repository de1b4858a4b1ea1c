/** Commands that take a while: consoles, uploads and watching, in one world. */
import { once } from 'node:events'
import { utimesSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { giveDisplay } from '@purlin/core/testing/consoles/fake-display'
import type { TestServers } from '@purlin/server/testing/test-servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { MiB } from '@purlin/contract/rules/limits'
import { createEscape } from './console/escape.ts'
import type { HowToRun, Ran, Shell } from './testing/shell.ts'
import { endWithInstance, startWithInstance } from './testing/with-instance.ts'

let servers: TestServers
let shell: Shell
const query = { project: 'demo' }
const purlin = (line: string, how?: HowToRun): Promise<Ran> => shell.run(line.split(' '), how)
const admin = () => servers.world.as('admin')

beforeAll(async () => {
  ;({ servers, shell } = await startWithInstance())
})
afterAll(() => endWithInstance({ servers, shell }))

describe('the screen', () => {
  const display = 'instance display --project demo --instance web'

  it('is carried both ways, for a viewer and not for a terminal', async () => {
    const screen = giveDisplay(servers.world.sleds)
    expect(await purlin(display, { stdin: 'RFB 003.008\n' })).toMatchObject({ code: 0 })
    await expect.poll(() => String.fromCharCode(...screen.got)).toBe('RFB 003.008\n')
    expect(await purlin(display, { columns: 80 })).toMatchObject({ code: 2 })
    expect(await purlin(`${display}x`)).toMatchObject({ code: 5 })
  })
})

describe('the serial console', () => {
  const attach = 'instance serial console --project demo --instance web'

  it('shows the output, sends input, and ends with the sequence that leaves it', async () => {
    const { code, out } = await purlin(attach, { stdin: 'whoami\r~.' })
    expect(code).toBe(0)
    expect(out).toContain('Purlin firmware')
  })

  it('shows its history without carrying out controls in a terminal', async () => {
    expect(
      (await purlin('instance serial history --project demo --instance web --from-start 0')).out,
    ).toContain('Purlin firmware')
    expect(
      (await purlin('instance serial history --project demo --instance web --from-start 0', { columns: 80 }))
        .out,
    ).not.toContain('\u001b')
  })

  it('is refused like any other request', async () => {
    expect(await purlin('instance serial console --project demo --instance nope')).toMatchObject({ code: 5 })
  })

  it('connects again after a failure, without what was printed before', async () => {
    const urls: string[] = []
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    server.on('connection', (socket, { url = '' }) => {
      urls.push(url)
      socket.send(new Uint8Array())
      socket.send(Buffer.from(`part ${urls.length}`))
      if (urls.length === 1) socket.once('message', () => socket.terminate())
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const leave = new AbortController()
    const ran = await purlin(attach, {
      env: { PURLIN_HOST: `http://127.0.0.1:${port}` },
      stdin: 'x',
      signal: leave.signal,
      onOut: (out) => out.includes('part 2') && leave.abort(),
    })
    server.close()
    expect(ran.out).toBe('part 1part 2')
    expect(urls[1]).toContain('most_recent=0')
    expect(ran.err).toContain('connecting again')
  })

  it('is left by a tilde and a dot at the beginning of a line, also in pieces', () => {
    const typed = (...pieces: string[]) => {
      const escape = createEscape()
      const found = pieces.map((piece) => escape(Buffer.from(piece)))
      return [
        found.map(({ rest }) => Buffer.from(rest).toString()).join(''),
        found.some(({ isLeaving }) => isLeaving),
      ]
    }
    expect(typed('~.')).toEqual(['', true])
    expect(typed('ls\r~', '.x')).toEqual(['ls\r', true])
    expect(typed('a~.\r~~.\r~x')).toEqual(['a~.\r~.\r~x', false])
  })
})

describe('a file', () => {
  it('is imported as a disk, and an interrupted import continues', async () => {
    const file = join(shell.home, 'disk.raw')
    const bytes = Buffer.alloc(3 * MiB + 100, 7)
    writeFileSync(file, bytes)
    const line = `disk import --project demo --name data --file ${file}`
    const cut = new AbortController()
    const offsets: string[] = []
    const count = ({ url = '' }: { url?: string }) => {
      const [, offset] = /blocks\?offset=(\d+)/.exec(url) ?? []
      if (offset !== undefined) offsets.push(offset)
      if (offset === String(2.5 * MiB)) cut.abort()
    }
    servers.server.prependListener('request', count)
    expect((await purlin(line, { signal: cut.signal })).code).toBe(130)
    const first = offsets.length
    expect(await purlin(line)).toMatchObject({
      code: 0,
      err: expect.stringContaining('Imported disk data') as string,
    })
    servers.server.off('request', count)
    expect(offsets.length - first).toBeLessThan(7)
    expect((await admin().diskView({ params: { disk: 'data' }, query })).state).toEqual({ state: 'detached' })
    utimesSync(file, 1, 1)
    expect(await purlin(line)).toMatchObject({ code: 6 })
  })

  it('is uploaded as an image, and leaves nothing else', async () => {
    const file = join(shell.home, 'image.raw')
    writeFileSync(file, Buffer.alloc(1024, 1))
    const line = `image upload --project demo --name base --os debian --version 13 --file ${file}`
    expect(await purlin(line)).toMatchObject({ code: 0 })
    expect(await admin().imageView({ params: { image: 'base' }, query })).toMatchObject({
      os: 'debian',
      version: '13',
    })
    expect((await admin().snapshotList({ query })).items).toEqual([])
    expect(await purlin(line)).toMatchObject({ code: 6 })
  })

  it('is recognised before it is sent, if it has no disk', async () => {
    const file = join(shell.home, 'packed.raw')
    writeFileSync(file, Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(1020, 1)]))
    const line = `image upload --project demo --name packed --os none --version 1 --file ${file}`
    const { err } = await purlin(line)
    expect(err).toMatch(/^\S+packed.raw: The file is recognised as gzip\..*Import the file instead/)
  })
})

it('watch shows an answer, and then its changes', async () => {
  const stop = new AbortController()
  const added: Promise<unknown>[] = []
  const { code, out } = await purlin('watch project list', {
    signal: stop.signal,
    onOut: (text) => {
      const change = async () => {
        await admin().projectCreate({ body: { name: 'seen', description: '' } })
        await servers.world.advance(400)
      }
      if (added.length === 0) added.push(change())
      if (text.includes('+ seen')) stop.abort()
    },
  })
  await Promise.all(added)
  expect(code).toBe(130)
  expect(out).toMatch(/^NAME [^+]*demo [^+]*\+ seen\n$/)
  expect(await purlin('watch project delete --project seen')).toMatchObject({ code: 2 })
})
