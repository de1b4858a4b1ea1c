import { limits } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leastOf } from '../testing/bounds.ts'
import { blockWrite as write, headOf as head, pile } from '../testing/bodies.ts'
import { killAll } from '../testing/children.ts'
import { serveKnown } from '../testing/prepared.ts'
import { ask, openSocket, type RawSocket } from '../testing/requests.ts'

const MB = 1e6
const MiB = 1024 * 1024
let server: Awaited<ReturnType<typeof serveKnown>>
beforeAll(async () => (server = await serveKnown()))
afterAll(killAll)

describe('bodies', () => {
  it.each([
    ['before anybody is authenticated', false],
    ['of one user', true],
  ])('120 of 8 MiB, %s, take little memory, and no other client is refused', async (_, isKnown) => {
    const grown = async () => {
      const { url, memory, cookie } = await serveKnown()
      const before = memory()?.now ?? 0
      const sockets = await pile(url, { count: 120, length: 8 * MiB, cookie: isKnown ? cookie : undefined })
      const isRefused = ({ said }: RawSocket) => said().startsWith(`HTTP/1.1 ${isKnown ? 503 : 401} `)
      await expect.poll(() => sockets.filter(isRefused).length).toBe(isKnown ? 118 : 120)
      expect((await ask(url, '/v1/ping')).status).toBe(200)
      const bytes = (memory()?.peak ?? 0) - before
      for (const { socket } of sockets) socket.destroy()
      return bytes
    }
    expect(await leastOf(150 * MB, grown)).toBeLessThan(150 * MB)
  })

  it('beyond the budget get 503 with Retry-After, and later ones are accepted again', async () => {
    const { cookie } = server
    // Two of them have room. Each refusal leaves its room to the others.
    const sockets = await pile(server.url, { count: 5, length: 8 * MiB, cookie })
    const answers = () => sockets.map(({ said }) => said()).filter((said) => said !== '')
    await expect.poll(() => answers().length).toBe(3)
    for (const answer of answers()) expect(answer).toMatch(/^HTTP\/1.1 503 .*\r\nretry-after: 1\r\n/s)
    const send = (body: string) =>
      ask(server.url, '/v1/projects', { method: 'POST', headers: { cookie }, body })
    const large = () => send('x'.repeat(MiB))
    // Small bodies need no room.
    expect((await send('{"name":"a"}')).status).toBe(400)
    for (const { socket } of sockets) socket.destroy()
    await expect.poll(async () => (await large()).status).toBe(400)
  })

  it('of strangers do not take the room of users', async () => {
    const { cookie } = server
    const addresses = Array.from({ length: 8 }, (_, i) => `127.0.1.${i + 1}`)
    const length = 64 * 1024
    const strangers = addresses.flatMap((from) =>
      Array.from({ length: 70 }, () => openSocket(server.url, from)),
    )
    for (const { socket } of strangers) socket.write(head(write, length) + 'x'.repeat(length - 1))
    const isRefused = ({ said }: RawSocket) => said().startsWith('HTTP/1.1 503 ')
    // The first bytes of each are not counted.
    const { strangers: room, small } = limits.bodiesInFlight
    const held = Math.floor(room / (length - 1 - small))
    await expect.poll(() => strangers.filter(isRefused).length).toBeGreaterThanOrEqual(560 - held)
    const body = JSON.stringify({ name: 'a', description: '' })
    const made = await ask(server.url, '/v1/projects', { method: 'POST', headers: { cookie }, body })
    expect(made.status).toBe(201)
    for (const { socket } of strangers) socket.destroy()
    const again = () => ask(server.url, '/v1/login/main/local', { method: 'POST', body: '{}' })
    await expect.poll(async () => (await again()).status).toBe(400)
  })

  it('have the length that is due to who sends them', async () => {
    const { cookie } = server
    const post = async (path: string, length: number, sender: Record<string, string>) => {
      const headers = { 'content-type': 'application/json', ...sender }
      return (await ask(server.url, path, { method: 'POST', headers, body: 'x'.repeat(length) })).status
    }
    const signInPath = '/v1/login/main/local'
    const known = { cookie }
    const chunked = { 'transfer-encoding': 'chunked' }
    const statuses = await Promise.all([
      post(signInPath, 4096, {}),
      post(signInPath, 4097, {}),
      post(signInPath, 4097, { ...known, ...chunked }),
      post('/v1/projects', 65_536, {}),
      post('/v1/projects', 65_537, {}),
      post('/v1/projects', 65_537, chunked),
      post('/v1/projects', 65_537, { cookie: `session=${'0'.repeat(40)}` }),
      post('/v1/projects', MiB, known),
      post('/v1/projects', MiB + 1, { ...known, ...chunked }),
      post(write, MiB + 1, known),
    ])
    expect(statuses).toEqual([400, 413, 413, 400, 401, 401, 401, 400, 413, 400])
  })
})

// These wait for events of the server.
describe.concurrent('during other requests', () => {
  it('slow senders are cut, of a head as of a body', async () => {
    const sockets = [
      'GET /v1/ping HTTP/1.1\r\n',
      head('/v1/login/main/local', 4000),
      head('/v1/projects', 60_000, server.cookie),
    ].map((start) => {
      const one = openSocket(server.url)
      one.socket.write(start)
      return one
    })
    const drip = setInterval(() => {
      for (const { socket } of sockets) if (socket.writable) socket.write('x')
    }, 200)
    const answers = await Promise.all(sockets.map(({ ended }) => ended))
    clearInterval(drip)
    expect(answers.map((answer) => answer.slice(0, 13))).toEqual(sockets.map(() => 'HTTP/1.1 408 '))
  })
})
