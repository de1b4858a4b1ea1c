import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAnswers } from './answers.ts'
import { logTo } from '../process/log.ts'

const MiB = 1024 * 1024
// More than the system takes for a client that does not read.
const length = 16 * MiB

let server: Server
let sockets: Socket[]
let lines: string[]
let body: string | Uint8Array
let most: { address: number; all: number; small: number; patienceMs: number }

beforeEach(async () => {
  sockets = []
  lines = []
  most = { address: 3 * length, all: 5 * length, small: 1000, patienceMs: 60_000 }
  const log = logTo({ write: (line) => void lines.push(line) }, 'info')
  let answers: ReturnType<typeof createAnswers> | undefined
  server = createServer((request, response) => {
    answers ??= createAnswers(log, most)
    answers.send(response, body, request.url ?? '')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.closeAllConnections()
  server.close()
})

const port = () => (server.address() as AddressInfo).port
async function read(): Promise<Buffer> {
  const [response] = (await once(get(`http://127.0.0.1:${port()}/reader`), 'response')) as [IncomingMessage]
  return buffer(response)
}
/** A client that asks and does not read. */
async function ask(address: string): Promise<{ hasEnded: () => boolean }> {
  const socket = connect(port(), '127.0.0.1')
  sockets.push(socket)
  let hasEnded = false
  socket.on('error', () => undefined).pause()
  const [serverSide] = (await once(server, 'connection')) as [Socket]
  serverSide.once('close', () => (hasEnded = true))
  const asked = once(server, 'request')
  socket.write(`GET ${address} HTTP/1.1\r\nhost: a\r\n\r\n`)
  await asked
  return { hasEnded: () => hasEnded }
}

describe('an answer', () => {
  it.each([
    ['text of single bytes', 'x'.repeat(length)],
    ['text of several bytes', 'añ東🚀'.repeat(MiB)],
    ['bytes', new Uint8Array(length).fill(7)],
    ['a short text', 'Zürich'],
  ])('of %s arrives in full', async (_, sent) => {
    body = sent
    expect((await read()).equals(Buffer.from(sent as string))).toBe(true)
  })
})

describe('clients that do not read', () => {
  beforeEach(() => (body = 'x'.repeat(length)))

  it('take a limited number of bytes per address: the connection without a read for the longest time is closed', async () => {
    const all = [await ask('/a'), await ask('/b'), await ask('/a'), await ask('/a')]
    expect(all.map((one) => one.hasEnded())).toEqual([false, false, false, false])
    await ask('/a')
    await expect.poll(() => all.map((one) => one.hasEnded())).toEqual([true, false, false, false])
    expect(lines.filter((line) => line.includes('its answer is not read'))).toHaveLength(1)
  })

  it('and a limited number in total, and others are answered', async () => {
    const all: Awaited<ReturnType<typeof ask>>[] = []
    for (const address of ['/a', '/b', '/c', '/d', '/e']) all.push(await ask(address))
    expect((await read()).length).toBe(length)
    await expect.poll(() => all.map((one) => one.hasEnded())).toEqual([true, false, false, false, false])
  })

  it('are closed after a time, and their memory is free', async () => {
    most.patienceMs = 100
    const { hasEnded } = await ask('/a')
    await expect.poll(hasEnded).toBe(true)
    most.patienceMs = 60_000
    expect((await read()).length).toBe(length)
  })
})
