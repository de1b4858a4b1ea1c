import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { ApiResponse } from '@purlin/contract/http'
import { limits } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { logTo } from '../process/log.ts'
import { startServers, type TestServers } from '../testing/test-servers.ts'
import { createBodyBudget } from './body-budget.ts'
import { createHttpServer } from './http.ts'

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Uint8Array.of(255, 0))
  yield await Promise.resolve(Uint8Array.of(254))
}
const headers = { 'content-type': 'application/octet-stream', 'content-length': '3' }
const answers: Record<string, ApiResponse> = {
  GET: { status: 206, headers, body: null, bytes: pieces() },
  HEAD: { status: 200, headers, body: null },
}
const none = { status: 404, headers: {}, body: null }

it('an answer of bytes has its own length, and HEAD the same one', async () => {
  const http = createHttpServer({
    api: { dispatch: ({ method }) => Promise.resolve(answers[method] ?? none) },
    pages: () => Promise.resolve({ ...none, kind: 'page' }),
    log: logTo({ write: () => undefined }, 'info'),
    reach: { behindProxy: false, bodies: createBodyBudget(), onMisread: () => undefined },
  })
  http.open()
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  const url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/v1/file`
  const got = await fetch(url)
  expect(got.status).toBe(206)
  expect(got.headers.get('content-length')).toBe('3')
  expect(new Uint8Array(await got.arrayBuffer())).toEqual(Uint8Array.of(255, 0, 254))
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '3'])
  await http.stop(0)
})

let servers: TestServers
beforeAll(async () => (servers = await startServers()))
afterAll(() => servers.close())

it('blocks of a disk arrive as they are, and no longer than a chunk', async () => {
  const cookie = await servers.signIn('projectCollaborator')
  const send = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`http://127.0.0.1:${servers.port}${path}`, {
      method: 'POST',
      headers: { cookie, 'content-type': type },
      body,
    })
  const blank = { type: 'importing_blocks', block_size: 512 }
  const disk = JSON.stringify({ name: 'import', description: '', size: 2 ** 30, disk_source: blank })
  await send('/v1/disks?project=demo', 'application/json', disk)
  await send('/v1/disks/import/bulk-write-start?project=demo', 'application/json', '')
  const write = (offset: number, length: number, type = 'application/octet-stream') =>
    send(`/v1/disks/import/blocks?project=demo&offset=${offset}`, type, new Uint8Array(length).fill(255))
  const { chunk } = limits.bulkWrite
  expect((await write(0, chunk)).status).toBe(204)
  expect((await write(chunk, 512)).status).toBe(204)
  expect((await write(0, chunk + 512)).status).toBe(413)
  expect((await write(0, 512, 'application/json')).status).toBe(400)
})
