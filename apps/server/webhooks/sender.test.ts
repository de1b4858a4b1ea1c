import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'
import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { SendInterrupted } from '@purlin/core/ports'
import { createAddressCheck, networkOf } from './addresses.ts'
import { createWebhookSender, type SenderOptions } from './sender.ts'

const open: (Server | TcpServer)[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of open.splice(0)) server.close()
})

async function listen(server: Server | TcpServer): Promise<number> {
  open.push(server)
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const serve = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  listen(createHttp(answer))

const loopback = ['127.0.0.0/8']
const sender = (options: Partial<SenderOptions> = {}) =>
  createWebhookSender({ refused: [], allowed: loopback, ...options })
const post = (url: string, options: Partial<SenderOptions> = {}) =>
  sender(options).send({ url, headers: [['content-type', 'application/json']], body: '{}' })

/** Resolves every name to these addresses. */
const resolvingTo = (...addresses: string[]): Partial<SenderOptions> => ({
  resolve: ((_host: string, _how: object, done: (error: null, found: object[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as NonNullable<SenderOptions['resolve']>,
})

describe('a webhook', () => {
  it('gets the exact body and every header, also those with the same name', async () => {
    let got:
      | { headers: string[]; body: string; method: string | undefined; url: string | undefined }
      | undefined
    const port = await serve((request, response) => {
      let body = ''
      request.setEncoding('utf8')
      request.on('data', (text: string) => (body += text))
      request.on('end', () => {
        got = { headers: request.rawHeaders, body, method: request.method, url: request.url }
        response.writeHead(201).end('thanks')
      })
    })
    const body = JSON.stringify({ text: 'größer als 1 €' })
    const key = "it's a secret"
    const ours = createHmac('sha256', key).update(body).digest('hex')
    const headers = [
      ['x-purlin-signature', `a=sha256&id=1&s=${ours}`],
      ['x-purlin-signature', 'a=sha256&id=2&s=00'],
    ] as const
    const outcome = await sender().send({ url: `http://127.0.0.1:${port}/hook?x=1`, headers, body })
    expect(outcome).toEqual({ status: 201 })
    expect(got).toMatchObject({ body, method: 'POST', url: '/hook?x=1' })
    const { headers: raw = [] } = got ?? {}
    const values = raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === 'x-purlin-signature')
    expect(values).toEqual(headers.map(([, value]) => value))
    expect(raw).toContain(`127.0.0.1:${port}`)
    // An implementation that shares nothing with ours.
    const theirs = execFileSync('openssl', ['dgst', '-sha256', '-hmac', key], { input: got?.body ?? '' })
    expect(values[0]).toBe(`a=sha256&id=1&s=${theirs.toString().trim().split(' ').at(-1)}`)
  })

  it('is not followed to another address', async () => {
    let visits = 0
    const port = await serve((request, response) => {
      visits++
      response.writeHead(307, { location: `http://127.0.0.1:${port}/again` }).end()
      request.resume()
    })
    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ status: 307 })
    expect(visits).toBe(1)
  })

  it('may answer with a body that does not end: the connection is closed', async () => {
    let closed: Promise<unknown> | undefined
    const port = await serve((_, response) => {
      closed = once(response, 'close')
      response.writeHead(200)
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ status: 200 })
    await closed
  })

  it('has failed if it does not answer in time, refuses, breaks off or speaks another protocol', async () => {
    const silent = await listen(createTcp(() => undefined))
    expect(await post(`http://127.0.0.1:${silent}/`, { totalMs: 50 })).toMatchObject({
      result: 'failed_timeout',
      reason: 'no answer within 0.05 seconds',
    })
    // A connection of TLS is complete when both sides have said hello.
    expect(await post(`https://127.0.0.1:${silent}/`, { connectMs: 50 })).toMatchObject({
      result: 'failed_timeout',
      reason: 'no connection within 0.05 seconds',
    })
    const rude = await listen(createTcp((socket) => void socket.end('SSH-2.0\r\n')))
    const broken = await listen(createTcp((socket) => void socket.once('data', () => socket.destroy())))
    const gone = createTcp()
    const free = await listen(gone)
    await new Promise((resolve) => gone.close(resolve))
    for (const port of [rude, broken, free])
      expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ result: 'failed_unreachable' })
  })

  it('needs a certificate that is trusted and is for its name', async () => {
    const { cert, key } = certificateFor('hooks.example.org')
    const port = await listen(createHttps({ cert, key }, (_, response) => response.writeHead(204).end()))
    const there = resolvingTo('127.0.0.1')
    const url = `https://hooks.example.org:${port}/`
    expect(await post(url, { ...there, ca: cert })).toEqual({ status: 204 })
    expect(await post(url, there)).toMatchObject({
      result: 'failed_unreachable',
      reason: expect.stringContaining('self-signed certificate') as string,
    })
    expect(await post(`https://other.example.org:${port}/`, { ...there, ca: cert })).toMatchObject({
      result: 'failed_unreachable',
      reason: expect.stringContaining("does not match certificate's altnames") as string,
    })
  })

  it('is interrupted when the server stops', async () => {
    const port = await listen(createTcp(() => undefined))
    const one = sender()
    const outcome = one.send({ url: `http://127.0.0.1:${port}/`, headers: [], body: '{}' })
    one.stop()
    await expect(outcome).rejects.toThrow(SendInterrupted)
  })
})

describe('an address', () => {
  const refused = { result: 'failed_unreachable', reason: expect.stringContaining('not allowed') as string }

  it('that is refused is never connected to, in whatever form it is written', async () => {
    let connections = 0
    const port = await listen(createTcp(() => void connections++))
    const hosts = [
      '127.0.0.1',
      'localhost',
      '0.0.0.0',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '[::]',
    ]
    for (const host of hosts)
      expect(await post(`http://${host}:${port}/`, { allowed: [] }), host).toMatchObject(refused)
    expect(connections).toBe(0)
  })

  it('is checked after the name is resolved, when the connection is made', async () => {
    let visits = 0
    const port = await serve((_, response) => {
      visits++
      response.writeHead(204).end()
    })
    const url = `http://hooks.example.org:${port}/`
    for (const address of ['127.0.0.1', '::ffff:7f00:1', '169.254.169.254', '10.20.0.1'])
      expect(
        await post(url, { ...resolvingTo(address), allowed: [], refused: ['10.20.0.0/16'] }),
      ).toMatchObject(refused)
    expect(visits).toBe(0)
    // Of two addresses, only those that are allowed are tried.
    expect(await post(url, resolvingTo('169.254.169.254', '127.0.0.1'))).toEqual({ status: 204 })
    expect(visits).toBe(1)
  })

  it('is refused by its network, unless an operator allows that', () => {
    const isAllowed = createAddressCheck({
      refused: ['10.20.0.0/16'],
      allowed: ['fd00:1::/32', '10.20.30.40'],
    })
    const allowed = ['93.184.216.34', '10.21.0.1', '192.168.1.1', '10.20.30.40', '::ffff:10.20.30.40']
    for (const address of [...allowed, '2606:2800:220:1::1', 'fd00:1::5'])
      expect(isAllowed(address), address).toBe(true)
    for (const address of [
      '127.1.2.3',
      '169.254.169.254',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '10.20.0.1',
      '::ffff:10.20.0.1',
      '::ffff:7f00:1',
      '0:0:0:0:0:ffff:7f00:0001',
      '::7f00:1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      'fe80::1',
      'fe80::1%lo',
      'fd00:2::1',
      'ff02::1',
      '::',
      '::1',
      'nonsense',
    ])
      expect(isAllowed(address), address).toBe(false)
  })

  it('with or without a width is a network, and nothing else is', () => {
    expect(networkOf('10.0.0.0/8')).toEqual({ address: '10.0.0.0', prefix: 8, family: 'ipv4' })
    expect(networkOf('fd00::1')).toEqual({ address: 'fd00::1', prefix: 128, family: 'ipv6' })
    for (const text of [
      '',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0/8',
      'fd00::/129',
      'fe80::%lo/64',
      '10.0.0.0/8/8',
    ])
      expect(networkOf(text), text).toBeUndefined()
  })
})

/** A self-signed certificate for a name. */
function certificateFor(name: string): { cert: string; key: string } {
  const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  const text = execFileSync('openssl', [...how, ...subject, '-keyout', '-', '-out', '-'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString()
  const [, key = '', cert = ''] = /(-----BEGIN PRIVATE KEY[^]+?END PRIVATE KEY-----\n)([^]+)/.exec(text) ?? []
  return { cert, key }
}
