/** The allow list of source addresses at the door of a server. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startServers, type TestServers } from '../testing/test-servers.ts'

let servers: TestServers
beforeAll(async () => {
  servers = await startServers({ behindProxy: true })
  const body = { name: 'web', description: '', ncpus: 1, memory: 2 ** 30, hostname: 'web', start: true }
  await servers.world.as('admin').instanceCreate({
    query: { project: 'demo' },
    body: { ...body, networkInterfaces: { type: 'none' } },
  })
  await servers.world.advance(30_000)
})
afterAll(() => servers.close())

const consolePath = '/v1/instances/web/serial-console/stream?project=demo'
const inside = '198.51.100.7'
const outside = '203.0.113.5'
const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, ...headers },
})
const statusOf = async (path: string, address: string) => (await servers.ask(path, from(address))).status
/** Sets the list as a client inside. */
const allow = async (ips: string[] | null) => {
  const list = ips === null ? { allow: 'any' as const } : { allow: 'list' as const, ips }
  const { status } = await servers.world.raw({
    method: 'PUT',
    url: '/v1/system/networking/allow-list',
    who: 'fleetAdmin',
    remote: inside,
    body: JSON.stringify({ allowed_ips: list }),
  })
  expect(status).toBe(200)
  await servers.world.settle()
}
const paths = ['/v1/ping', '/v1/projects', '/login', '/assets/app-1a2b.js', '/nothing']

it('requests from other addresses get nothing but the reason, whatever they ask for', async () => {
  const before = await Promise.all(paths.map((path) => statusOf(path, outside)))
  expect(before).not.toContain(403)
  await allow(['198.51.100.0/24'])
  for (const path of paths) {
    const { status, text } = await servers.ask(path, from(outside))
    expect([path, status, (JSON.parse(text) as { message: string }).message]).toEqual([
      path,
      403,
      `requests from ${outside} are refused: the allow list of source addresses does not contain it`,
    ])
  }
  // The proxy adds the last entry; the client may have sent the others.
  expect(await statusOf('/v1/ping', `${inside}, ${outside}`)).toBe(403)
  expect(await Promise.all(paths.map((path) => statusOf(path, inside)))).toEqual(before)
  // A body that is refused does not keep the connection waiting.
  const big = { ...from(outside), method: 'POST', body: 'x'.repeat(100_000) }
  expect((await servers.ask('/v1/login/acme/local', big)).status).toBe(403)
  // Monitoring has its own protection.
  expect(await statusOf('/healthz', outside)).toBe(200)
  await allow(null)
  expect(await statusOf('/v1/ping', outside)).toBe(200)
})

it('open streams and consoles of an address end when the list loses it', async () => {
  await allow([`${inside}/32`, `${outside}/32`])
  const { world, port } = servers
  const cookie = world.cookieOf('admin')
  const open = async (address: string) => {
    const how = from(address, { cookie })
    const stream = await fetch(`http://127.0.0.1:${port}/v1/events?scope=/v1/me`, how)
    const console = new WebSocket(`ws://127.0.0.1:${port}${consolePath}`, how)
    await once(console, 'open')
    return { stream: stream.body, console, closed: once(console, 'close') }
  }
  const [kept, cut] = await Promise.all([open(inside), open(outside)])
  await allow([`${inside}/32`])
  expect((await cut.closed)[0]).toBe(1008)
  await expect(cut.stream?.pipeTo(new WritableStream())).rejects.toThrow('terminated')
  expect(kept.console.readyState).toBe(WebSocket.OPEN)
  const again = new WebSocket(`ws://127.0.0.1:${port}${consolePath}`, from(outside, { cookie }))
  again.on('error', () => undefined)
  const [, refused] = (await once(again, 'unexpected-response')) as [unknown, IncomingMessage]
  expect(refused.statusCode).toBe(403)
  again.terminate()
  kept.console.terminate()
  await kept.stream?.cancel()
})
