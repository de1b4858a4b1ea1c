/** A host's end of the wire: offers its driver to the servers of the fleet, over HTTP/2 with mutual TLS. */
import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2'
import { encode, jsonText } from '@purlin/contract/wire'
import { Invalid, parse } from '@purlin/core/http/validate'
import { DrivenElsewhere, type HolderEpochs, type Log, type SledDriver } from '@purlin/core/ports'
import { calls, epochHeader, longestBody, portErrors, type CallName, type InputOf } from './calls.ts'
import { serveConsole, serveDiagnostics, serveDisplay, serveReports } from './serve-streams.ts'
import { handlersOf, type Handlers } from './handlers.ts'
import { tlsOf, type Identity } from './identity.ts'
import { readAll, TooLong } from './lines.ts'

export interface HostOptions {
  driver: SledDriver
  identity: Identity
  log: Log
  /** of this program */
  version: string
  /** They outlive the process, so that a former holder that was frozen is refused by the next one as well. */
  epochs: HolderEpochs
}

/** Strangers hold a connection no longer than this. */
const handshakeMs = 30_000

/** A server that listens once it is asked to. Only servers of the fleet get past the handshake. */
export function createHostServer({ driver, identity, log, version, epochs }: HostOptions): Http2SecureServer {
  const handlers = handlersOf(driver, version)
  const server = createSecureServer({
    ...tlsOf(identity),
    requestCert: true,
    rejectUnauthorized: true,
    handshakeTimeout: handshakeMs,
    settings: { maxConcurrentStreams: 1_000 },
  })
  server.on('stream', (stream, headers) => {
    // The other end has gone, which the next write shows.
    stream.on('error', () => undefined)
    const path = headers[':path'] ?? ''
    const epoch = epochOf(headers[epochHeader])
    if (epoch === undefined)
      return respond(stream, 400, { error: 'Invalid', message: `${epochHeader} is no whole number` })
    answer(path.slice(1), { stream, driver, handlers, epochs, epoch }).catch((error: unknown) => {
      log.error({ path, stack: error instanceof Error ? error.stack : String(error) }, 'call not answered')
      stream.destroy()
    })
  })
  server.on('sessionError', (error) => log.warn({ error: String(error) }, 'connection of a server broken'))
  return server
}

/** The epoch in a header, 0 without one; undefined for what is no epoch. */
function epochOf(header: string | string[] = '0'): number | undefined {
  const epoch = typeof header === 'string' && /^\d{1,16}$/.test(header) ? Number(header) : NaN
  return Number.isSafeInteger(epoch) ? epoch : undefined
}

interface Asked {
  stream: ServerHttp2Stream
  driver: SledDriver
  handlers: Handlers
  epochs: HolderEpochs
  /** That of the caller. */
  epoch: number
}

const streams: Record<string, ((asked: Asked) => Promise<void>) | undefined> = {
  reports: ({ stream, driver }) => serveReports(stream, driver),
  console: ({ stream, driver }) => serveConsole(stream, driver),
  display: ({ stream, driver }) => serveDisplay(stream, driver),
  diagnostics: ({ stream, driver }) => serveDiagnostics(stream, driver),
}

async function answer(name: string, asked: Asked): Promise<void> {
  const { stream } = asked
  try {
    if (Object.hasOwn(streams, name)) return await streams[name]?.(asked)
    if (!isCall(name)) return respond(stream, 404, { error: 'UnknownCall', message: `no call ${name}` })
    respond(stream, 200, await carryOut(name, asked))
  } catch (error) {
    if (stream.headersSent || stream.destroyed) return void stream.destroy()
    respond(stream, ...problemOf(error))
  }
}

const isCall = (name: string): name is CallName => Object.hasOwn(calls, name)

async function carryOut(
  name: CallName,
  { stream, handlers, epochs, epoch }: Omit<Asked, 'driver'>,
): Promise<unknown> {
  const { input, output } = calls[name]
  const body: unknown = JSON.parse((await readAll(stream, longestBody)).toString('utf8'))
  const handler = handlers[name] as (input: unknown) => Promise<unknown>
  const parsed = parse<unknown>(input, body)
  const changed = changedBy(name, parsed)
  if (changed !== undefined) epochs.require(changed, name === 'hold' ? epochIn(parsed) : epoch)
  return encode<unknown>(output, await handler(parsed))
}

const changes = new Set<CallName>([
  'hold',
  'ensure',
  'remove',
  'shutDown',
  'setLayers',
  'migrate',
  'setNetwork',
])

/** The sled that a call changes. */
function changedBy(name: CallName, input: unknown): string | undefined {
  if (!changes.has(name)) return undefined
  const { sledId, spec, migration } = input as Partial<
    InputOf<'remove'> & InputOf<'ensure'> & InputOf<'migrate'>
  >
  return sledId ?? spec?.sledId ?? migration?.spec.sledId
}

const epochIn = (input: unknown): number => (input as InputOf<'hold'>).epoch

function respond(stream: ServerHttp2Stream, status: number, body: unknown): void {
  stream.respond({ ':status': status, 'content-type': 'application/json' })
  stream.end(jsonText(body))
}

/** The status and the body for an error. Those of the port travel by their name. */
function problemOf(
  error: unknown,
): [status: number, body: { error: string; message: string; epoch?: number }] {
  if (error instanceof DrivenElsewhere)
    return [
      503,
      { error: error.name, message: error.message, ...(error.epoch ? { epoch: error.epoch } : {}) },
    ]
  if (error instanceof Error && Object.hasOwn(portErrors, error.name))
    return [503, { error: error.name, message: error.message }]
  if (error instanceof Invalid)
    return [400, { error: 'Invalid', message: `${error.where}: ${error.message}` }]
  if (error instanceof SyntaxError || error instanceof TooLong)
    return [400, { error: 'Invalid', message: error.message }]
  throw error
}
