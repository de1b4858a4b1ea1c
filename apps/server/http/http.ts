/** node:http in front of core: reads requests, writes answers, and outlives broken clients. */
import { messageOf } from '@purlin/databases/error-codes'
import { readFileSync } from 'node:fs'
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContext } from 'node:tls'
import { pipeline } from 'node:stream/promises'
import type { ApiRequest } from '@purlin/contract/http'
import { limits } from '@purlin/contract/rules/limits'
import { clientOf, type AllowList, type Dispatcher } from '@purlin/core'
import type { Log } from '@purlin/core/ports'
import { createAnswers, type Answers } from './answers.ts'
import { dropRest } from './body-drain.ts'
import { compressed } from './compress.ts'
import { createRequestCount } from './connections.ts'
import { StartError } from '../process/start-errors.ts'
import { securityHeaders } from './headers.ts'
import type { Answered, Metrics } from '../monitoring/metrics.ts'
import type { Monitoring } from '../monitoring/monitoring.ts'
import type { RequestTrace, Traces } from '../monitoring/traces.ts'
import { NodeRequest, type Reach } from './node-request.ts'
import { systemIds } from '../process/ports.ts'
import { type ChooseContext, ciphers } from '../tls/silo-tls.ts'
import { expectationRefusal, protocolRefusal } from './protocol.ts'
import { apiReply, envelope, notAllowed, type Reply } from './reply.ts'

/** The handlers of the HTTP server. */
export interface HttpWorld {
  api: Pick<Dispatcher, 'dispatch'>
  /** Answers requests outside of the API. */
  pages(request: ApiRequest): Promise<Reply>
  log: Log
  reach: Reach
  /** The addresses that requests are accepted from; any unless given. */
  allowList?: AllowList
  tls?: Tls
  /** Answers what asks about the server itself, also before it is open. */
  monitoring?: (http: Pick<HttpServer, 'server' | 'isOpen'>) => Monitoring
  /** Is called with every other answer that has begun. */
  answered?: Metrics['answered']
  /** Absent where no traces are recorded. */
  traces?: Pick<Traces, 'begin'> | undefined
}

/** How TLS is served: the files that answer all names, if any, but those that `choose` knows. */
interface Tls {
  files?: { cert: string; key: string } | undefined
  choose: ChooseContext
}

export interface HttpServer {
  server: Server
  /** Lets requests in; those that come earlier wait. */
  open: () => void
  isOpen: () => boolean
  /** Ends: no new requests, those under way finish within `graceMs`. */
  stop(graceMs: number): Promise<void>
}

const options = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  // The interval at which the times above and below are checked.
  connectionsCheckingInterval: 2000,
  // A body has a time that is due to its length: see `body.ts`.
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  // A missing host gets an answer with a reason instead of an empty one.
  requireHostHeader: false,
  // Offers such as h2c are declined by answering the request over HTTP/1.1.
  shouldUpgradeCallback: (request: IncomingMessage) => request.headers.upgrade?.toLowerCase() === 'websocket',
}

// A connection without traffic for this long is closed, even if an answer on it has not been read yet.
const silenceMs = 120_000

/** Makes the server; the caller listens. Throws StartError for an unusable certificate. */
export function createHttpServer(at: HttpWorld): HttpServer {
  const server = at.tls ? secureServerOrStop(at.tls) : createServer(options)
  server.timeout = silenceMs
  const isCounted = createRequestCount(at.log)
  const answers = createAnswers(at.log)
  const how = ({ remote, secure }: NodeRequest, last: boolean): HowToWrite => ({
    answers,
    address: clientOf(remote),
    secure,
    last,
  })
  const answer = createAnswering(at)
  let activeRequests = 0
  let isStopping = false
  const isOpen = () => waitsFor === null
  const monitoring = at.monitoring?.({ server, isOpen })
  const opening = Promise.withResolvers<void>()
  let waitsFor: Promise<void> | null = opening.promise
  const open = () => {
    waitsFor = null
    opening.resolve()
  }

  async function handle(
    message: IncomingMessage,
    response: ServerResponse,
    onBody?: () => void,
  ): Promise<void> {
    const started = performance.now()
    const request = new NodeRequest(message, at.reach, onBody)
    const about = monitoring?.(request)
    const trace = about ? undefined : at.traces?.begin(request.headers['traceparent'])
    activeRequests++
    try {
      if (waitsFor && !about) await waitsFor
      const found = await (about ?? answer(request, response, trace))
      const reply = await compressed(found, request.headers['accept-encoding'])
      // A client that got no `100 Continue` may or may not send the body: the next bytes are ambiguous.
      const isUnread = onBody !== undefined && !request.isRead
      dropRest(message)
      const requestId = write(response, reply, how(request, isStopping || isUnread))
      const answered = answeredOf(request, reply.status, performance.now() - started)
      logAnswer(at.log, request, { ...answered, requestId })
      if (!about) at.answered?.(answered)
      trace?.end({ ...answered, requestId })
    } catch (error) {
      trace?.end()
      // Only a bug leads here: the connection is closed and the reason is logged.
      at.log.error({ stack: error instanceof Error ? error.stack : String(error) }, 'request not answered')
      response.destroy()
    } finally {
      activeRequests--
      request.end()
    }
  }
  /** Within the event: the parser reports an unknown transfer coding right after it, and then it has been answered. */
  function refuse(message: IncomingMessage, response: ServerResponse, reply: Reply): void {
    const request = new NodeRequest(message, at.reach)
    dropRest(message)
    const requestId = write(response, reply, how(request, true))
    const { method, remote } = request
    at.log.info({ method, path: pathOf(request.url), status: reply.status, remote, requestId }, 'request')
  }
  function take(message: IncomingMessage, response: ServerResponse, onBody?: () => void): void {
    if (!isCounted(message, response)) return
    const refused = protocolRefusal(message)
    if (refused) refuse(message, response, refused)
    else void handle(message, response, onBody)
  }
  server.on('request', (message, response) => take(message, response))
  server.on('checkContinue', (message, response) => take(message, response, () => response.writeContinue()))
  server.on('checkExpectation', (message, response) => refuse(message, response, expectationRefusal()))
  server.on('clientError', answerClientError)

  const stop = (graceMs: number) => {
    isStopping = true
    return endServer(server, () => activeRequests > 0, graceMs)
  }
  return { server, open, isOpen, stop }
}

function answeredOf({ logged, url, method }: NodeRequest, status: number, time: number): Answered {
  const operation = logged['operation'] ?? (isApi.test(url) ? 'unknown' : 'page')
  return { operation, method, status, ms: Math.round(time * 10) / 10 }
}

function logAnswer(
  log: Log,
  { url, remote, logged }: NodeRequest,
  { method, status, ms, requestId }: Answered & { requestId: string },
): void {
  log.info({ method, path: pathOf(url), status, ms, remote, ...logged, requestId }, 'request')
}

async function endServer(server: Server, isBusy: () => boolean, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  const end = performance.now() + graceMs
  while (isBusy() && performance.now() < end) {
    server.closeIdleConnections()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  server.closeIdleConnections()
  // The answers are being sent now; a client that does not read them in half a second is disconnected.
  const left = Math.max(0, Math.min(500, end - performance.now()))
  const cut = setTimeout(() => server.closeAllConnections(), left)
  await closed
  clearTimeout(cut)
}

function secureServer({ files, choose }: Tls): Server {
  const own = files ? { cert: readFileSync(files.cert), key: readFileSync(files.key) } : {}
  const answerName = async (name: string, done: (error: null, context?: SecureContext) => void) =>
    done(null, await choose(name))
  const server = createSecureServer({
    ...options,
    ...own,
    ciphers,
    handshakeTimeout: 10_000,
    // A name without a context gets the files; without these, the handshake fails.
    SNICallback: (name, done) => void answerName(name, done),
  })
  // Before Node's own listener, which asks for an answer: an answer would wait for the handshake that has failed.
  server.prependListener('tlsClientError', (_error, socket) => socket.destroy())
  return server
}

function secureServerOrStop(tls: Tls): Server {
  try {
    return secureServer(tls)
  } catch (error) {
    const reason = messageOf(error)
    throw new StartError(`The TLS certificate or key cannot be used: ${reason}`, { cause: error })
  }
}

// The router decodes segments and leaves out empty ones.
const isApi = /^\/+(?:experimental\/+)?(?:v|%76)(?:1|%31)(?:[/?]|$)/

type Answering = (request: NodeRequest, response: ServerResponse, trace?: RequestTrace) => Promise<Reply>

/** Answers requests from allowed addresses. An answer that has begun is cut off once its address is not allowed. */
function createAnswering(at: HttpWorld): Answering {
  const { allowList, api } = at
  const begun = new Map<ServerResponse, string>()
  allowList?.onChange(() => {
    for (const [response, remote] of begun) if (!allowList.allows(remote)) response.destroy()
  })
  return async (request, response, trace) => {
    const { remote, url } = request
    if (allowList?.allows(remote) === false) return notAllowed(remote)
    if (!response.destroyed) begun.set(response, remote)
    response.once('close', () => begun.delete(response))
    const work = async () => (isApi.test(url) ? apiReply(await api.dispatch(request)) : at.pages(request))
    return trace?.run(work) ?? work()
  }
}

interface HowToWrite {
  answers: Answers
  /** the group of addresses that the client belongs to */
  address: string
  secure: boolean
  /** Closes the connection afterwards. */
  last: boolean
}

function write(response: ServerResponse, reply: Reply, how: HowToWrite): string {
  const fields = [...securityHeaders(reply.kind, how.secure, reply.security)]
  const requestId = pushHeaders(fields, reply)
  const length = Buffer.byteLength(reply.body ?? '')
  const stream = reply.stream ?? reply.bytes
  const isKnown = stream !== undefined || reply.headers['content-length'] !== undefined
  if (reply.status !== 204 && reply.status !== 304 && !isKnown) fields.push('content-length', String(length))
  if (how.last) fields.push('connection', 'close')
  response.writeHead(reply.status, fields)
  if (stream) void sendStream(response, stream)
  else if (reply.body === null) response.end()
  else how.answers.send(response, reply.body, how.address)
  return requestId
}

/**
 * Sends text or bytes while they are produced, no faster than the client reads them. If a client reads nothing for
 * long, or if they end in an error, the connection is closed before the end.
 */
async function sendStream(
  response: ServerResponse,
  stream: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  response.setTimeout(limits.answersInFlight.patienceMs, () => response.destroy())
  const pieces = stream[Symbol.asyncIterator]()
  // A source that is idle would not notice that the client has gone.
  response.once('close', () => void pieces.return?.())
  await pipeline({ [Symbol.asyncIterator]: () => pieces }, response).catch(() => response.destroy())
}

/** Adds an answer's own headers and a request id, which pages and files do not have yet. */
function pushHeaders(fields: string[], { headers, cookies = [] }: Reply): string {
  for (const name in headers) fields.push(name, headers[name] ?? '')
  for (const cookie of cookies) fields.push('set-cookie', cookie)
  const known = headers['x-request-id']
  if (known !== undefined) return known
  const requestId = systemIds.uuid()
  fields.push('x-request-id', requestId)
  return requestId
}

const pathOf = (url: string): string => url.split('?', 1)[0]?.slice(0, 300) ?? ''

const brokenStatus: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'error processing headers: they are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
}

/** Answers a request that the HTTP parser rejected, on the raw socket. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // While another answer is being sent on this connection, this one would be read as part of it.
  const answering = Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined
  if (answering?.writableEnded && socket instanceof Socket) return socket.destroySoon()
  if (!socket.writable || answering || error.code === 'ECONNRESET') return void socket.destroy()
  const [status, message] = brokenStatus[error.code ?? ''] ?? [400, 'malformed HTTP request']
  endWith(socket, envelope(status, message), false)
}

/** Writes an answer on a socket that has no response object, and ends it. */
export function endWith(socket: Duplex, reply: Reply, secure: boolean): void {
  const { status, body } = reply
  const fields = [...securityHeaders(reply.kind, secure, reply.security)]
  pushHeaders(fields, reply)
  fields.push('content-length', String(Buffer.byteLength(body ?? '')), 'connection', 'close')
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`]
  for (let i = 0; i < fields.length; i += 2) lines.push(`${fields[i]}: ${fields[i + 1]}`)
  socket.once('error', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body ? String(body) : ''}`, () => socket.destroy())
}
