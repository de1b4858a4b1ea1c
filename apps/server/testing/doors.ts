/** For tests: the server's doors on a free port, before core's test world and a small built console. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openSerialConsole } from '@purlin/core/resources/instance/console'
import { openWorld, type TestWorld } from '@purlin/core/testing/world'
import { createHttpServer } from '../http.ts'
import { logTo } from '../log.ts'
import { createPages } from '../pages.ts'
import { createSockets, type Sockets } from '../sockets.ts'
import { openStatic } from '../static.ts'

export interface Doors {
  world: TestWorld
  port: number
  /** every line of the log */
  lines: string[]
  dist: string
  /** Sends a request; `body` is sent as it is. */
  ask(path: string, how?: Ask): Promise<Answer>
  /** Sends bytes as they are and reads until the server closes. */
  sendRaw(bytes: string): Promise<string>
  /** The Cookie header of somebody in silo acme. */
  signIn(who: string): Promise<string>
  sockets: Sockets
  stop(graceMs: number): Promise<void>
  close(): Promise<void>
}
export interface Ask {
  method?: string
  headers?: Record<string, string>
  body?: string
}
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Makes a folder that looks like a built console. */
export function makeDist(): string {
  const dist = mkdtempSync(join(tmpdir(), 'purlin-dist-'))
  mkdirSync(join(dist, 'assets'))
  writeFileSync(join(dist, 'index.html'), '<!doctype html><title>Purlin</title>')
  writeFileSync(join(dist, 'favicon.svg'), '<svg/>')
  writeFileSync(join(dist, 'assets/app-1a2b.js'), `console.log('${'purlin '.repeat(400)}')`)
  return dist
}

/** Opens the doors. Close them in `afterAll`. */
export async function openDoors(how: { behindProxy?: boolean } = {}): Promise<Doors> {
  const { behindProxy = false } = how
  const world = await openWorld()
  const dist = makeDist()
  const lines: string[] = []
  const log = logTo({ write: (line) => void lines.push(line) }, 'info')
  const { plane } = world
  const pages = createPages({ world: plane.world, api: plane, files: openStatic(dist) })
  const http = createHttpServer({ api: plane, pages, log, behindProxy })
  const sockets = createSockets({ world: plane.world, api: plane, open: openSerialConsole, behindProxy })
  http.server.on('upgrade', sockets.upgrade)
  http.open()
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  const { port } = http.server.address() as AddressInfo
  const ask = (path: string, what: Ask = {}) => askAt(port, path, what)
  return {
    world,
    port,
    lines,
    dist,
    ask,
    sockets,
    sendRaw: (bytes) => sendRaw(port, bytes),
    signIn: async (who) => {
      const body = JSON.stringify({ username: who.toLowerCase(), password: `${who}-password` })
      const headers = { 'content-type': 'application/json' }
      const answer = await ask('/v1/login/acme/local', { method: 'POST', headers, body })
      return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    },
    stop: (graceMs) => http.stop(graceMs),
    close: async () => {
      await Promise.all([sockets.close(), http.stop(0)])
      await world.close()
      rmSync(dist, { recursive: true, force: true })
    },
  }
}

async function askAt(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Ask,
): Promise<Answer> {
  const message = request({ port, host: '127.0.0.1', path, method, headers, agent: false })
  message.end(body)
  const [response] = (await once(message, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
}

async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}
