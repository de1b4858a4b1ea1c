import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { makeCertificate } from '@purlin/x509/make'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SendInterrupted, type MailMessage } from '@purlin/core/ports'
import { createMailSender, type MailOptions, type SmtpServer } from './sender.ts'

const open: (SMTPServer | Server)[] = []
const sockets = new Set<Socket>()
let pair = { cert: '', key: '' }
beforeAll(async () => {
  const day = 86_400_000
  pair = await makeCertificate({
    commonName: 'localhost',
    dnsNames: ['localhost'],
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
  })
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of open.splice(0)) server.close()
})

interface Got {
  from: string
  to: string[]
  secure: boolean
  source: string
}
/** An SMTP server that takes messages from everyone, unless the options say otherwise. */
async function serve(options: SMTPServerOptions = {}) {
  const got: Got[] = []
  const server = new SMTPServer({
    ...pair,
    authOptional: true,
    closeTimeout: 1,
    onData: (stream, { envelope, secure }, done) => {
      const { mailFrom, rcptTo } = envelope
      const from = mailFrom ? mailFrom.address : ''
      const to = rcptTo.map(({ address }) => address)
      let source = ''
      stream.setEncoding('utf8')
      stream.on('data', (part: string) => (source += part))
      stream.on('end', () => {
        got.push({ from, to, secure, source })
        done()
      })
    },
    ...options,
  })
  // A client that breaks off is no failure of a test.
  server.on('error', () => undefined)
  open.push(server)
  await once(server.listen(0, 'localhost'), 'listening')
  const { port } = server.server.address() as AddressInfo
  return { port, got }
}
/** A server that speaks as it likes. */
async function speak(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  open.push(server)
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const senderTo = (port: number, server: Partial<SmtpServer> = {}, more: Partial<MailOptions> = {}) =>
  createMailSender({
    server: { host: 'localhost', port, tls: 'if offered', ...server },
    from: 'cloud@example.org',
    ...more,
  })
const message: MailMessage = {
  id: 'delivery-1',
  to: ['a@example.org', 'b@example.org'],
  subject: '[Purlin] warning: größer als 80 %',
  text: 'Grüße\n.\nend\n',
  html: '<p>Grüße</p>',
  sentAt: Date.parse('2026-01-02T03:04:05Z'),
  headers: { 'x-purlin-delivery-id': 'delivery-1' },
}
const send = (port: number, server: Partial<SmtpServer> = {}, more: Partial<MailOptions> = {}) =>
  senderTo(port, server, more).send(message)
const containing = (part: string) => expect.stringContaining(part) as string
const refusal = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode })

describe('a message', () => {
  it('arrives at all addresses, with its text in two forms and its headers', async () => {
    const { port, got } = await serve()
    expect(await send(port)).toEqual({ status: 250, reason: null })
    expect(got).toHaveLength(1)
    expect(got).toMatchObject([{ from: 'cloud@example.org', to: message.to, secure: true }])
    const { source = '' } = got[0] ?? {}
    const [head = ''] = source.split('\r\n\r\n')
    expect(head.split('\r\n').filter((line) => !line.startsWith(' '))).toEqual(
      expect.arrayContaining([
        'From: Purlin <cloud@example.org>',
        'To: a@example.org, b@example.org',
        'Message-ID: <delivery-1@example.org>',
        'Date: Fri, 02 Jan 2026 03:04:05 +0000',
        'X-Purlin-Delivery-ID: delivery-1',
        'Auto-Submitted: auto-generated',
      ]),
    )
    expect(head).toContain('Subject: =?UTF-8?')
    expect(source).toContain('Content-Type: text/plain; charset=utf-8')
    expect(source).toContain('Content-Type: text/html; charset=utf-8')
  })

  it('cannot add headers or addresses', async () => {
    const { port, got } = await serve()
    const lines = '\r\nBcc: other@example.org\r\n\r\nbody'
    const sender = senderTo(port)
    await sender.send({ ...message, subject: `x${lines}`, headers: { 'x-purlin-alert-class': `x${lines}` } })
    expect(got[0]?.to).toEqual(message.to)
    expect(got[0]?.source).not.toMatch(/^Bcc:/im)
  })

  it('is sent by a user whose password is right, and not by another one', async () => {
    const { port, got } = await serve({
      authOptional: false,
      onAuth: ({ username, password }, _, done) =>
        username === 'cloud' && password === 'timber and joints'
          ? done(null, { user: username })
          : done(refusal(535, 'Authentication failed')),
    })
    const login = { user: 'cloud', password: 'timber and joints' }
    expect(await send(port, { login })).toEqual({ status: 250, reason: null })
    const wrong = await send(port, { login: { ...login, password: 'hunter2' } })
    expect(wrong).toEqual({ status: 535, reason: containing('Authentication failed') })
    expect(JSON.stringify(wrong)).not.toMatch(/hunter2|aHVudGVyMg/)
    expect(await send(port)).toMatchObject({ status: 530 })
    expect(got).toHaveLength(1)
  })

  it.each([
    [451, 'for now'],
    [554, 'for good'],
  ])('that is refused with %s %s has that status', async (status, words) => {
    const { port } = await serve({
      onData: (stream, _, done) => {
        stream.resume()
        stream.on('end', () => done(refusal(status, words)))
      },
    })
    expect(await send(port)).toEqual({ status, reason: containing(words) })
    const { port: other } = await serve({ onMailFrom: (_, __, done) => done(refusal(status, words)) })
    expect(await send(other)).toEqual({ status, reason: containing(words) })
  })

  it('that some addresses are refused for has arrived, unless they are refused for now', async () => {
    const refusing = (status: number) =>
      serve({
        onRcptTo: ({ address }, _, done) =>
          address.startsWith('b@') ? done(refusal(status, 'not\r\n here')) : done(),
      })
    const { port, got } = await refusing(550)
    expect(await send(port)).toEqual({ status: 250, reason: containing('b@example.org: 550') })
    expect(got).toHaveLength(1)
    const { port: later } = await refusing(450)
    expect(await send(later)).toEqual({ status: 450, reason: containing('b@example.org: 450') })
    const { port: none } = await serve({ onRcptTo: (_, __, done) => done(refusal(550, 'no such user')) })
    expect(await send(none)).toMatchObject({ status: 550 })
  })
})

describe('TLS', () => {
  it('is required to a server on another machine, with a certificate that is trusted', async () => {
    const { port, got } = await serve()
    const required = { tls: 'required' } as const
    expect(await send(port, required, { ca: pair.cert })).toMatchObject({ status: 250 })
    expect(await send(port, required)).toEqual({
      result: 'failed_unreachable',
      reason: containing('self-signed certificate'),
    })
    const { port: plain, got: inPlain } = await serve({ disabledCommands: ['STARTTLS'] })
    expect(await send(plain, required, { ca: pair.cert })).toEqual({
      result: 'failed_unreachable',
      reason: containing('offers no STARTTLS (500'),
    })
    expect([got.length, inPlain.length]).toEqual([1, 0])
    expect(await send(plain)).toMatchObject({ status: 250 })
  })

  it('may begin before SMTP does', async () => {
    const { port, got } = await serve({ secure: true })
    expect(await send(port, { tls: 'from the start' }, { ca: pair.cert })).toMatchObject({ status: 250 })
    expect(await send(port, { tls: 'from the start' })).toMatchObject({ result: 'failed_unreachable' })
    expect(got).toHaveLength(1)
  })
})

describe('a server that', () => {
  it('is away, breaks off or speaks another protocol is not reached', async () => {
    const gone = createServer()
    gone.listen(0, 'localhost')
    await once(gone, 'listening')
    const { port } = gone.address() as AddressInfo
    gone.close()
    await once(gone, 'close')
    const rude = await speak((socket) => void socket.end('SSH-2.0\r\n'))
    const broken = await speak((socket) => void socket.end())
    for (const one of [port, rude, broken])
      expect(await send(one)).toMatchObject({ result: 'failed_unreachable' })
  })

  it('does not answer, or not to the end, has failed in time', async () => {
    const silent = await speak(() => undefined)
    const slow = await speak((socket) => {
      socket.write('220 slow\r\n')
      socket.on('data', () => socket.write('250-slow\r\n'))
    })
    const inTime = { totalMs: 50 }
    for (const port of [silent, slow])
      expect(await send(port, {}, inTime)).toEqual({
        result: 'failed_timeout',
        reason: 'no answer within 0.05 seconds',
      })
  })

  it('is silent does not keep this one from stopping', async () => {
    const port = await speak(() => undefined)
    const sender = senderTo(port)
    const outcome = sender.send(message)
    sender.stop()
    await expect(outcome).rejects.toThrow(SendInterrupted)
  })

  it('talks without end is cut short', async () => {
    const port = await speak((socket) => void socket.end(`554 ${'no '.repeat(5000)}\r\n`))
    const outcome = await send(port)
    expect(outcome.reason?.length).toBeLessThanOrEqual(500)
  })
})
