/** WebSockets: the serial console. Whoever may not open it gets a plain HTTP answer instead of a socket. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { FreeCtx, World } from '@purlin/core/context'
import type { Dispatcher } from '@purlin/core/dispatch'
import { refusal } from '@purlin/core/replies'
import { fault } from '@purlin/core/faults'
import type { ConsoleListener, ConsoleStream } from '@purlin/core/ports'
import { ConsoleSocket } from './console-socket.ts'
import { endWith } from './http.ts'
import { NodeRequest } from './node-request.ts'
import { apiReply, type Reply } from './reply.ts'
import { createSessionWatch, type SessionWatch } from './session-watch.ts'

const beatMs = 30_000
const beatsPerSessionCheck = 2
const leaveMs = 1000

export interface SocketWorld {
  world: World
  api: Pick<Dispatcher, 'upgrade'>
  /** Checks the caller's rights and opens the console. Throws Fault. */
  open(ctx: FreeCtx, input: unknown, to: ConsoleListener): Promise<ConsoleStream>
  behindProxy: boolean
}

export interface Sockets {
  /** Takes over an upgrade request of node:http. */
  upgrade: (message: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Tells every client goodbye and ends. */
  close(): Promise<void>
}

/** Makes the WebSocket door. */
export function createSockets(at: SocketWorld): Sockets {
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: 1024 * 1024,
    perMessageDeflate: false,
    clientTracking: false,
  })
  const ids = new WeakMap<IncomingMessage, string>()
  wss.on('headers', (headers, message) => headers.push(`x-request-id: ${ids.get(message) ?? ''}`))
  const open = new Set<ConsoleSocket>()
  const beat = createHeartbeat(at.world, open)
  let isClosing = false

  async function accept(message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    checkHandshake(message)
    if (isClosing) throw fault.unavailable()
    const request = new NodeRequest(message, at.behindProxy)
    const { ctx, input } = await at.api.upgrade(request)
    const mine = new ConsoleSocket()
    mine.connect(await at.open(ctx, input, mine))
    ids.set(message, ctx.requestId)
    wss.handleUpgrade(message, socket, head, (ws) => {
      open.add(mine)
      ws.once('close', () => open.delete(mine))
      beat.watch(mine, ctx.sessionToken)
      mine.attach(ws)
    })
    // The client may have gone, or have offered what the library refuses, while the console was opened.
    if (!open.has(mine)) mine.leave(1001, 'the client has gone')
    else if (isClosing) mine.leave(1001, 'the server is shutting down')
    const { op, requestId, actor } = ctx
    at.world.log.info({ path: op.path, status: 101, requestId, userId: actor?.userId }, 'socket')
  }

  return {
    upgrade(message, socket, head) {
      socket.on('error', () => socket.destroy())
      accept(message, socket, head).catch((error: unknown) => {
        const request = new NodeRequest(message, at.behindProxy)
        endWith(socket, refused(at.world, error, request), request.secure)
      })
    },
    close() {
      isClosing = true
      beat.stop()
      return sayGoodbye(open)
    },
  }
}

function refused(world: World, error: unknown, request: NodeRequest): Reply {
  const requestId = world.ids.uuid()
  const answer = refusal(world, error, { requestId, request })
  const path = request.url.split('?', 1)[0]
  world.log.info({ path, status: answer.status, requestId }, 'socket refused')
  return apiReply(answer)
}

async function sayGoodbye(open: Set<ConsoleSocket>): Promise<void> {
  for (const one of open) one.leave(1001, 'the server is shutting down')
  const end = performance.now() + leaveMs
  while (open.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
  for (const one of open) one.terminate()
}

function checkHandshake({ method, headers }: IncomingMessage): void {
  if (method !== 'GET') throw fault.noMethod(['GET'])
  if (headers.upgrade?.toLowerCase() !== 'websocket')
    throw fault.badUpgrade('unexpected protocol for upgrade')
  if (headers['sec-websocket-version'] !== '13')
    throw fault.badUpgrade('missing or invalid websocket version')
  const key = headers['sec-websocket-key'] ?? ''
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key)) throw fault.badUpgrade('missing websocket key')
}

/** Pings all sockets every 30 s, drops those that have not answered, and ends those without a session. */
function createHeartbeat(world: World, open: Set<ConsoleSocket>) {
  const sessions: SessionWatch = createSessionWatch(world)
  const tokens = new WeakMap<ConsoleSocket, string | null>()
  let beats = 0
  let cancel = world.clock.after(beatMs, next)

  function next(): void {
    cancel = world.clock.after(beatMs, next)
    for (const one of open) one.ping()
    if (++beats % beatsPerSessionCheck === 0) for (const one of open) void check(one)
  }
  async function check(one: ConsoleSocket): Promise<void> {
    const token = tokens.get(one)
    try {
      if (token && (await sessions.holds(token, one.takeUse()))) return
      one.leave(1008, 'the session has ended')
    } catch (error) {
      world.log.warn({ error: String(error) }, 'session of a socket not checked')
    }
  }
  return { watch: (one: ConsoleSocket, token: string | null) => tokens.set(one, token), stop: () => cancel() }
}
