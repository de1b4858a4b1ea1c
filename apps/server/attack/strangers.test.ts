import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { makeCertificate } from '@purlin/x509/make'
import { afterEach, describe, expect, it } from 'vitest'
import { killAll, newFolder } from '../testing/children.ts'
import { serveKnown } from '../testing/prepared.ts'
import { admin, type ServerProcess } from '../testing/process.ts'
import { ask, openSocket, trySignIn } from '../testing/requests.ts'

afterEach(killAll)

/** The requests from an address that the log has. */
const requestsFrom = (server: ServerProcess, address: string) =>
  server.lines().filter((line) => line.includes('"msg":"request"') && line.includes(`"${address}"`))

describe('one connection', () => {
  it('has sixteen requests under way at most, and is closed when its client sends more', async () => {
    const server = await serveKnown()
    const from = '127.0.3.1'
    const head = 'GET /x HTTP/1.1\r\nhost: a\r\n\r\n'
    const flood = openSocket(server.url, from)
    flood.socket.pause()
    flood.socket.write(head.repeat(20_000))
    expect((await ask(server.url, '/v1/ping', { from: '127.0.3.2' })).status).toBe(200)
    flood.socket.resume()
    await flood.ended
    const closings = () => server.lines().filter((line) => line.includes('too many requests under way'))
    await expect.poll(() => closings().length).toBe(1)
    expect(requestsFrom(server, from).length).toBeLessThanOrEqual(16)

    const patient = openSocket(server.url, '127.0.3.3')
    patient.socket.write(head.repeat(16))
    await expect.poll(() => patient.said().match(/HTTP\/1.1 404 /g)?.length).toBe(16)
    expect(patient.socket.destroyed).toBe(false)
  })
})

describe('bodies that never end', () => {
  it.each([
    ['promised', 1],
    ['nearly complete', 64 * 1024 - 1],
  ])('of 256 connections at four addresses, %s, keep no one else from signing in', async (_, sent) => {
    const { url } = await serveKnown()
    const sockets = Array.from({ length: 256 }, (_, i) => openSocket(url, `127.0.4.${1 + (i % 4)}`))
    const head = 'POST /device/auth HTTP/1.1\r\nhost: a\r\ncontent-length: 65536\r\n\r\n'
    const written = sockets.map(
      ({ socket }) => new Promise((resolve) => socket.write(head + 'x'.repeat(sent), resolve)),
    )
    await Promise.all(written)
    expect((await trySignIn(url, { ...admin, password: 'wrong' }, { from: '127.0.4.9' })).status).toBe(401)
    for (const { socket } of sockets) socket.destroy()
  })
})

describe('a handshake that fails', () => {
  it('or takes longer than ten seconds frees its connection, though its client keeps it open', async () => {
    const { path: folder } = newFolder()
    const { cert, key } = await makeCertificate({ commonName: 'localhost', dnsNames: ['localhost'] })
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
    writeFileSync(files.cert, cert)
    writeFileSync(files.key, key)
    const most = 4
    const args = [
      '--tls-cert',
      files.cert,
      '--tls-key',
      files.key,
      '--max-connections-per-address',
      `${most}`,
    ]
    const { url } = await serveKnown({ folder, args })
    const open = (bytes: string) => {
      // Its own side stays open when the server ends the other.
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true })
      socket.on('error', () => undefined).write(bytes)
      return socket
    }
    const isServed = () =>
      ask(url, '/v1/ping', { tls: { servername: 'localhost' } }).then(
        ({ status }) => status === 200,
        () => false,
      )
    const silent = Array.from({ length: most }, () => open(''))
    await expect.poll(isServed).toBe(false)
    await expect.poll(isServed).toBe(true)
    const garbage = Array.from({ length: most }, () => open('GET / HTTP/1.1\r\nhost: a\r\n\r\n'))
    await expect.poll(isServed).toBe(true)
    for (const socket of [...silent, ...garbage]) socket.destroy()
  })
})
