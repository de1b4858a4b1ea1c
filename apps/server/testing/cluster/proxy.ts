/**
 * A proxy that sends each request to another one of several equal servers, in turn, and leaves out those that do not
 * answer. Nothing about a session or a connection decides where a request goes.
 */
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { systemCodeOf } from '@purlin/databases/error-codes'

export interface Proxy {
  /** without a slash at the end */
  url: string
  close(): void
}

const lookMs = 500
/** A server that has not answered a ping for so long gets no requests. */
const patienceMs = 2_000

/** Starts a proxy in front of servers with these addresses, which may change. They need `--behind-proxy`. */
export async function startProxy(servers: () => readonly string[], port = 0): Promise<Proxy> {
  const turns = createTurns(servers)
  const proxy = createServer((asked, answer) => passOn(asked, answer, turns.next()))
  proxy.on('upgrade', (asked: IncomingMessage, socket: Duplex) => connectTo(asked, socket, turns.next()))
  // Uploads take as long as they take; the servers have limits.
  proxy.requestTimeout = 0
  proxy.listen({ host: '127.0.0.1', port })
  await once(proxy, 'listening')
  const address = proxy.address()
  const bound = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () => {
      turns.close()
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}

/** The order in which a request tries the servers: those that answered last, the next one first, then all others. */
function createTurns(servers: () => readonly string[]) {
  const silent = new Set<string>()
  let count = 0
  const look = async (url: string) => {
    const isWell = await fetch(`${url}/v1/ping`, { signal: AbortSignal.timeout(patienceMs) }).then(
      (answer) => answer.body?.cancel().then(() => answer.ok),
      () => false,
    )
    if (isWell) silent.delete(url)
    else silent.add(url)
  }
  const timer = setInterval(() => servers().forEach((url) => void look(url)), lookMs).unref()
  return {
    next: (): string[] => {
      const all = servers()
      const first = count++ % Math.max(1, all.length)
      const inTurn = [...all.slice(first), ...all.slice(0, first)]
      return [...inTurn.filter((url) => !silent.has(url)), ...inTurn.filter((url) => silent.has(url))]
    },
    close: () => clearInterval(timer),
  }
}

/** The request as a server gets it. Its connection is new, so that one which was just closed is not used. */
function askOf(asked: IncomingMessage, server: string) {
  const { remoteAddress = '' } = asked.socket
  const before = asked.headers['x-forwarded-for']
  const headers: IncomingHttpHeaders = {
    ...asked.headers,
    'x-forwarded-for': before === undefined ? remoteAddress : `${String(before)}, ${remoteAddress}`,
    'x-forwarded-proto': 'http',
  }
  return request(server + (asked.url ?? '/'), { method: asked.method, headers, agent: false })
}

/** True if another server may get the request: this one never got it, or it changes nothing. */
const mayGoOn = ({ method = '' }: IncomingMessage, error: unknown): boolean =>
  systemCodeOf(error) === 'ECONNREFUSED' || method === 'GET' || method === 'HEAD'

function passOn(asked: IncomingMessage, answer: ServerResponse, [server, ...others]: string[]): void {
  if (server === undefined) return void answer.writeHead(502).end()
  const ask = askOf(asked, server)
  const send = () => (asked.readableEnded ? ask.end() : asked.pipe(ask))
  ask.once('socket', (socket) => socket.once('connect', send))
  ask.once('response', (got) => {
    answer.writeHead(got.statusCode ?? 502, got.statusMessage, got.rawHeaders)
    got.pipe(answer)
    got.once('error', () => answer.destroy())
  })
  ask.once('error', (error) => {
    asked.unpipe(ask)
    if (answer.headersSent || answer.destroyed) answer.destroy()
    else if (mayGoOn(asked, error)) passOn(asked, answer, others)
    else answer.writeHead(502).end()
  })
  answer.once('close', () => ask.destroy())
}

function connectTo(asked: IncomingMessage, socket: Duplex, [server, ...others]: string[]): void {
  if (server === undefined) return void socket.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n')
  const ask = askOf(asked, server)
  ask.once('upgrade', (got, far, head) => {
    socket.write(headOf(got))
    socket.write(head)
    join(socket, far)
  })
  ask.once('response', (got) => {
    socket.write(headOf(got))
    got.pipe(socket)
  })
  ask.once('error', (error) => {
    if (!socket.destroyed && mayGoOn(asked, error)) connectTo(asked, socket, others)
    else socket.destroy()
  })
  socket.on('error', () => undefined).once('close', () => ask.destroy())
  ask.end()
}

function join(near: Duplex, far: Duplex): void {
  near.pipe(far)
  far.pipe(near)
  for (const one of [near, far])
    one
      .on('error', () => undefined)
      .once('close', () => {
        near.destroy()
        far.destroy()
      })
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1]}`] : []))
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n')
}
