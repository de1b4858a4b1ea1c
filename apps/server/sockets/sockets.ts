/** WebSockets: the consoles of instances, serial or with a screen. A caller without the right to open it gets an HTTP error instead of a socket. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { limits } from '@purlin/contract/rules/limits'
import {
  type AllowList,
  type Dispatcher,
  fault,
  errorReply,
  type OpenConsole,
  type RequestContext,
  type World,
} from '@purlin/core'
import { createKeyedSemaphore, type ConsoleListener } from '@purlin/core/ports'
import { ConsoleSocket } from './console-socket.ts'
import { endWith } from '../http/http.ts'
import { NodeRequest, type Reach } from '../http/node-request.ts'
import { protocolRefusal } from '../http/protocol.ts'
import { apiReply, notAllowed, type Reply } from '../http/reply.ts'
import { createSocketAccess } from './socket-access.ts'

const heartbeatMs = 30_000
const leaveMs = 1000

export interface SocketWorld {
  world: World
  api: Pick<Dispatcher, 'upgrade'>
  /** Checks the caller's rights and opens the console. Throws Fault. */
  open(ctx: RequestContext, input: unknown, to: ConsoleListener): Promise<OpenConsole>
  reach: Reach
  /** The addresses that sockets are accepted from; any unless given. */
  allowList?: AllowList
}

export interface Sockets {
  /** Takes over an upgrade request of node:http. */
  upgrade: (message: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Closes every socket with a reason. */
  close(): Promise<void>
}

interface Upgrade {
  message: IncomingMessage
  socket: Duplex
  head: Buffer
}

/** Makes the WebSocket server. */
export function createSockets(at: SocketWorld): Sockets {
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: 1024 * 1024,
    perMessageDeflate: false,
    clientTracking: false,
  })
  const ids = new WeakMap<IncomingMessage, string>()
  wss.on('headers', (headers, message) => headers.push(`x-request-id: ${ids.get(message) ?? ''}`))
  /** With the address that each is from. */
  const open = new Map<ConsoleSocket, string>()
  at.allowList?.onChange(() => {
    for (const [client, remote] of open)
      if (!at.allowList?.allows(remote)) client.leave(1008, 'your address is no longer allowed')
  })
  const access = createSocketAccess(at.world)
  const stopHeartbeat = startHeartbeat(at.world, open)
  const consoles = {
    instanceSerialConsoleStream: {
      ofUser: perUser(limits.serialConsole, 'serial consoles'),
      marksHistory: true,
    },
    instanceDisplay: { ofUser: perUser(limits.display, 'screens'), marksHistory: false },
  }
  let isClosing = false

  async function accept(request: NodeRequest, { message, socket, head }: Upgrade): Promise<void> {
    checkHandshake(message)
    if (isClosing) throw fault.unavailable()
    const { name, ctx, input } = await at.api.upgrade(request)
    const { ofUser, marksHistory } = consoles[name as keyof typeof consoles]
    await ofUser(ctx.actor?.userId ?? '', async () => {
      const client = new ConsoleSocket({ marksHistory })
      const { instanceId, allow, lostReason, stream } = await at.open(ctx, input, client)
      client.connect(stream)
      ids.set(message, ctx.requestId)
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      wss.handleUpgrade(message, socket, head, (ws) => {
        open.set(client, request.remote)
        ws.once('close', resolve)
        const takeUse = () => client.takeUse()
        access.watch(client, { token: ctx.credential ?? '', instanceId, allow, lostReason, takeUse })
        client.attach(ws)
      })
      // While the console was opened the client may have gone, or its request may be one that the library rejects.
      if (!open.has(client)) return client.leave(1001, 'the client has gone')
      if (isClosing) client.leave(1001, 'the server is shutting down')
      const { remote, logged } = request
      const { op, requestId } = ctx
      at.world.log.info({ path: op.path, status: 101, remote, ...logged, requestId }, 'socket')
      await closed
      open.delete(client)
      access.forget(client)
    })
  }

  return {
    upgrade(message, socket, head) {
      socket.on('error', () => socket.destroy())
      const request = new NodeRequest(message, at.reach)
      const isAllowed = at.allowList?.allows(request.remote) !== false
      const refused = protocolRefusal(message) ?? (isAllowed ? undefined : notAllowed(request.remote))
      if (refused) return endWith(socket, refused, request.secure)
      accept(request, { message, socket, head }).catch((error: unknown) => {
        endWith(socket, upgradeError(at.world, error, request), request.secure)
      })
    },
    close() {
      isClosing = true
      stopHeartbeat()
      return closeAll(open)
    },
  }
}

/** Lets each user have a number of them open. */
const perUser = ({ perUser: most }: { perUser: number }, noun: string) =>
  createKeyedSemaphore({ running: most, waiting: 0 }, () => fault.tooManyConsoles(most, noun))

function upgradeError(world: World, error: unknown, request: NodeRequest): Reply {
  const requestId = world.ids.uuid()
  const answer = errorReply(world, error, { requestId, request })
  const path = request.url.split('?', 1)[0]
  const { remote, logged } = request
  world.log.info({ path, status: answer.status, remote, ...logged, requestId }, 'socket refused')
  return apiReply(answer)
}

async function closeAll(open: ReadonlyMap<ConsoleSocket, string>): Promise<void> {
  for (const one of open.keys()) one.leave(1001, 'the server is shutting down')
  const end = performance.now() + leaveMs
  while (open.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
  for (const one of open.keys()) one.terminate()
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

/** Pings all sockets every 30 s and drops those that have not answered. Returns what ends that. */
function startHeartbeat({ clock }: World, open: ReadonlyMap<ConsoleSocket, string>): () => void {
  const next = () => {
    cancel = clock.after(heartbeatMs, next)
    for (const one of open.keys()) one.ping()
  }
  let cancel = clock.after(heartbeatMs, next)
  return () => cancel()
}
