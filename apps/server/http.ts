/** node:http in front of core: reads requests, writes answers, and outlives broken clients. */
import { readFileSync } from 'node:fs'
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import type { ApiRequest, Dispatcher } from '@purlin/core/dispatch'
import type { Log } from '@purlin/core/ports'
import { StartError } from './data-dir.ts'
import { securityHeaders } from './headers.ts'
import { NodeRequest } from './node-request.ts'
import { systemIds } from './ports.ts'
import { apiReply, type Reply } from './reply.ts'

/** What the HTTP server answers with. */
export interface HttpWorld {
  api: Pick<Dispatcher, 'dispatch'>
  /** Answers what is not under /v1. */
  pages(request: ApiRequest): Promise<Reply>
  log: Log
  behindProxy: boolean
  tls?: { cert: string; key: string }
}

export interface HttpServer {
  server: Server
  /** Lets requests in; those that come earlier wait. */
  open: () => void
  /** Ends: no new requests, those under way finish within `graceMs`. */
  stop(graceMs: number): Promise<void>
}

const options = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 20_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  // A missing host gets an answer with a reason instead of an empty one.
  requireHostHeader: false,
  // Offers such as h2c are not taken, and the request is answered as it is.
  shouldUpgradeCallback: (request: IncomingMessage) => request.headers.upgrade?.toLowerCase() === 'websocket',
}

/** Makes the server; the caller listens. Throws StartError for an unusable certificate. */
export function createHttpServer(at: HttpWorld): HttpServer {
  const server = at.tls ? secureServer(at.tls) : createServer(options)
  let underWay = 0
  let isStopping = false
  const opening = Promise.withResolvers<void>()
  let waitsFor: Promise<void> | null = opening.promise
  const open = () => {
    waitsFor = null
    opening.resolve()
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now()
    const request = new NodeRequest(message, at.behindProxy)
    underWay++
    try {
      if (waitsFor) await waitsFor
      const reply = await answer(at, message, request)
      const requestId = write(response, reply, { secure: request.secure, last: isStopping })
      const ms = Math.round((performance.now() - started) * 10) / 10
      const path = pathOf(request.url)
      at.log.info({ method: request.method, path, status: reply.status, ms, requestId }, 'request')
    } catch (error) {
      // Only a mistake of ours leads here; the client gets a cut connection, the log gets the reason.
      at.log.error({ stack: error instanceof Error ? error.stack : String(error) }, 'request not answered')
      response.destroy()
    } finally {
      underWay--
      request.end()
    }
  }
  server.on('request', (message, response) => void handle(message, response))
  server.on('checkExpectation', (message, response) => void handle(message, response))
  server.on('clientError', refuseBroken)

  const stop = (graceMs: number) => {
    isStopping = true
    return endServer(server, () => underWay > 0, graceMs)
  }
  return { server, open, stop }
}

async function endServer(server: Server, isBusy: () => boolean, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  const end = performance.now() + graceMs
  while (isBusy() && performance.now() < end) {
    server.closeIdleConnections()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  server.closeIdleConnections()
  // Answers are on their way now; who does not take them in half a second is cut off.
  const left = Math.max(0, Math.min(500, end - performance.now()))
  const cut = setTimeout(() => server.closeAllConnections(), left)
  await closed
  clearTimeout(cut)
}

function secureServer(files: { cert: string; key: string }): Server {
  try {
    return createSecureServer({ ...options, cert: readFileSync(files.cert), key: readFileSync(files.key) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`The TLS certificate or key cannot be used: ${reason}`, { cause: error })
  }
}

async function answer(at: HttpWorld, message: IncomingMessage, request: NodeRequest): Promise<Reply> {
  if (message.httpVersion === '1.1' && message.headers.host === undefined) {
    return envelope(400, 'request missing "host" header')
  }
  const { url } = request
  const isApi = url.startsWith('/v1') && (url.length === 3 || url[3] === '/' || url[3] === '?')
  return isApi ? apiReply(await at.api.dispatch(request)) : at.pages(request)
}

function write(response: ServerResponse, reply: Reply, how: { secure: boolean; last: boolean }): string {
  const fields = [...securityHeaders(reply.kind, how.secure)]
  const requestId = pushHeaders(fields, reply)
  const length = Buffer.byteLength(reply.body ?? '')
  if (reply.status !== 204 && reply.status !== 304) fields.push('content-length', String(length))
  if (how.last) fields.push('connection', 'close')
  response.writeHead(reply.status, fields)
  // Text without a single long character is the same bytes in Latin-1, which leaves sooner.
  if (reply.body === null) response.end()
  else response.end(reply.body, reply.body.length === length ? 'latin1' : 'utf8')
  return requestId
}

/** Adds an answer's own headers and its request id, which pages and files have not got yet. */
function pushHeaders(fields: string[], { headers }: Reply): string {
  for (const name in headers) fields.push(name, headers[name] ?? '')
  const known = headers['x-request-id']
  if (known !== undefined) return known
  const requestId = systemIds.uuid()
  fields.push('x-request-id', requestId)
  return requestId
}

const pathOf = (url: string): string => url.split('?', 1)[0]?.slice(0, 300) ?? ''

function envelope(status: number, message: string): Reply {
  const requestId = systemIds.uuid()
  const body = JSON.stringify({ request_id: requestId, message }, null, 2)
  return {
    kind: 'api',
    status,
    headers: { 'x-request-id': requestId, 'content-type': 'application/json' },
    body,
  }
}

const brokenStatus: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'error processing headers: they are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
}

/** Answers what the parser refused, on the bare socket. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  // With an answer under way on this connection, another one would be taken for it.
  const isAnswering = Reflect.get(socket, '_httpMessage') != null
  if (!socket.writable || isAnswering || error.code === 'ECONNRESET') return void socket.destroy()
  const [status, message] = brokenStatus[error.code ?? ''] ?? [400, 'malformed HTTP request']
  endWith(socket, envelope(status, message), false)
}

/** Writes an answer on a socket that has no response object, and ends it. */
export function endWith(socket: Duplex, reply: Reply, secure: boolean): void {
  const { status, body } = reply
  const fields = [...securityHeaders(reply.kind, secure)]
  pushHeaders(fields, reply)
  fields.push('content-length', String(Buffer.byteLength(body ?? '')), 'connection', 'close')
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`]
  for (let i = 0; i < fields.length; i += 2) lines.push(`${fields[i]}: ${fields[i + 1]}`)
  socket.once('error', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body ? String(body) : ''}`, () => socket.destroy())
}
