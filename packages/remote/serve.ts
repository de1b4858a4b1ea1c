/** A host's end of the wire: offers its driver to the servers of the fleet, over HTTP/2 with mutual TLS. */
import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2'
import { encode, jsonText } from '@purlin/contract/wire'
import { Invalid, parse } from '@purlin/core/http/validate'
import type { Log, SledDriver } from '@purlin/core/ports'
import { calls, longestBody, portErrors, type CallName } from './calls.ts'
import { serveConsole, serveDiagnostics, serveReports } from './serve-streams.ts'
import { handlersOf, type Handlers } from './handlers.ts'
import { tlsOf, type Identity } from './identity.ts'
import { readAll, TooLong } from './lines.ts'

export interface HostOptions {
  driver: SledDriver
  identity: Identity
  log: Log
}

/** A server that listens once it is asked to. Only servers of the fleet get past the handshake. */
export function createHostServer({ driver, identity, log }: HostOptions): Http2SecureServer {
  const handlers = handlersOf(driver)
  const server = createSecureServer({
    ...tlsOf(identity),
    requestCert: true,
    rejectUnauthorized: true,
    settings: { maxConcurrentStreams: 1_000 },
  })
  server.on('stream', (stream, headers) => {
    // The other end has gone, which the next write shows.
    stream.on('error', () => undefined)
    const path = headers[':path'] ?? ''
    answer(path.slice(1), { stream, driver, handlers }).catch((error: unknown) => {
      log.error({ path, stack: error instanceof Error ? error.stack : String(error) }, 'call not answered')
      stream.destroy()
    })
  })
  server.on('sessionError', (error) => log.warn({ error: String(error) }, 'connection of a server broken'))
  return server
}

interface Asked {
  stream: ServerHttp2Stream
  driver: SledDriver
  handlers: Handlers
}

const streams: Record<string, ((asked: Asked) => Promise<void>) | undefined> = {
  reports: ({ stream, driver }) => serveReports(stream, driver),
  console: ({ stream, driver }) => serveConsole(stream, driver),
  diagnostics: ({ stream, driver }) => serveDiagnostics(stream, driver),
}

async function answer(name: string, asked: Asked): Promise<void> {
  const { stream, handlers } = asked
  try {
    if (Object.hasOwn(streams, name)) return await streams[name]?.(asked)
    if (!isCall(name)) return respond(stream, 404, { error: 'UnknownCall', message: `no call ${name}` })
    respond(stream, 200, await carryOut(name, { stream, handlers }))
  } catch (error) {
    if (stream.headersSent || stream.destroyed) return void stream.destroy()
    respond(stream, ...problemOf(error))
  }
}

const isCall = (name: string): name is CallName => Object.hasOwn(calls, name)

async function carryOut(name: CallName, { stream, handlers }: Omit<Asked, 'driver'>): Promise<unknown> {
  const { input, output } = calls[name]
  const body: unknown = JSON.parse((await readAll(stream, longestBody)).toString('utf8'))
  const handler = handlers[name] as (input: unknown) => Promise<unknown>
  return encode<unknown>(output, await handler(parse<unknown>(input, body)))
}

function respond(stream: ServerHttp2Stream, status: number, body: unknown): void {
  stream.respond({ ':status': status, 'content-type': 'application/json' })
  stream.end(jsonText(body))
}

/** The status and the body for an error. Those of the port travel by their name. */
function problemOf(error: unknown): [status: number, body: { error: string; message: string }] {
  if (error instanceof Error && Object.hasOwn(portErrors, error.name))
    return [503, { error: error.name, message: error.message }]
  if (error instanceof Invalid)
    return [400, { error: 'Invalid', message: `${error.where}: ${error.message}` }]
  if (error instanceof SyntaxError || error instanceof TooLong)
    return [400, { error: 'Invalid', message: error.message }]
  throw error
}
