import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { ConsoleSocket, shortened } from './console-socket.ts'

let server: WebSocketServer
let client: WebSocket
let accepted: WebSocket
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [[socket]] = (await Promise.all([once(server, 'connection'), once(client, 'open')])) as [
    [WebSocket],
    unknown,
  ]
  accepted = socket
})
afterEach(() => {
  client.terminate()
  server.close()
})

const streamTo = (log: string[]) => ({
  receive: (data: Uint8Array) => log.push(`write ${String(data)}`) > 0,
  close: () => log.push('close'),
})
const ended = async () => {
  const [code, reason] = (await once(client, 'close')) as [number, Buffer]
  return `${code} ${String(reason)}`
}

describe('one client of a serial console', () => {
  it('gets earlier output in order, then an empty message, then live output', async () => {
    const got: string[] = []
    client.on('message', (data) => got.push((data as Buffer).toString()))
    const socket = new ConsoleSocket()
    socket.data(Buffer.from('a'))
    socket.connect(streamTo([]))
    socket.data(Buffer.from('b'))
    socket.attach(accepted)
    socket.data(Buffer.from('c'))
    await expect.poll(() => got).toEqual(['a', 'b', '', 'c'])
  })

  it('of a machine that stops gets its last output and the reason', async () => {
    const log: string[] = []
    const socket = new ConsoleSocket()
    socket.data(Buffer.from('panic'))
    socket.closed('VM stopped')
    socket.connect(streamTo(log))
    expect(log).toEqual(['close'])
    const got = once(client, 'message')
    const end = ended()
    socket.attach(accepted)
    expect(String((await got)[0])).toBe('panic')
    expect(await end).toBe('1001 VM stopped')
  })

  it('that leaves closes the machine’s side once', async () => {
    const log: string[] = []
    const socket = new ConsoleSocket()
    socket.connect(streamTo(log))
    socket.attach(accepted)
    client.send(Uint8Array.of(1, 2))
    await expect.poll(() => log).toEqual(['write 1,2'])
    expect([socket.takeUse(), socket.takeUse()]).toEqual([true, false])
    client.close()
    await expect.poll(() => log).toEqual(['write 1,2', 'close'])
    socket.data(Buffer.from('unheard'))
    socket.closed('VM stopped')
    expect(log).toEqual(['write 1,2', 'close'])
  })

  it('that reads too slowly is disconnected', async () => {
    const log: string[] = []
    const socket = new ConsoleSocket()
    socket.connect(streamTo(log))
    socket.attach(accepted)
    client.pause()
    const end = ended()
    const megabyte = new Uint8Array(1024 * 1024)
    for (let i = 0; i < 40 && log.length === 0; i++) socket.data(megabyte)
    expect(log).toEqual(['close'])
    client.resume()
    expect(await end).toBe('1013 the client reads too slowly')
  })

  it('whose connection is not ready keeps no more than that waiting', async () => {
    const log: string[] = []
    const socket = new ConsoleSocket()
    socket.connect(streamTo(log))
    const megabyte = new Uint8Array(1024 * 1024)
    for (let i = 0; i < 40 && log.length === 0; i++) socket.data(megabyte)
    expect(log).toEqual(['close'])
    const end = ended()
    socket.attach(accepted)
    expect(await end).toBe('1013 the client reads too slowly')
  })
})

describe('a reason for closing', () => {
  it('is cut between characters to the size of a close frame', () => {
    expect(shortened('VM stopped')).toBe('VM stopped')
    expect(shortened('x'.repeat(200))).toBe('x'.repeat(123))
    expect(shortened('é'.repeat(200))).toBe('é'.repeat(61))
    expect(shortened('🚀'.repeat(50))).toBe('🚀'.repeat(30))
  })
})
