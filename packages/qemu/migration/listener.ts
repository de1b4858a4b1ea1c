/**
 * Connections between hosts, for machines that move: TLS 1.3 with a key that both ends have from the server, one for each
 * migration. Hosts have no certificates with which they could call each other.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import type { Log, VmWay } from '@purlin/core/ports'
import { messageOf } from '@purlin/databases/error-codes'
import { Channel } from './channel.ts'

const keyBytes = 32
/** Its hash is the one that keys without a name of another have. */
const tls = { minVersion: 'TLSv1.3', ciphers: 'TLS_AES_128_GCM_SHA256' } as const
/** A connection on which nothing is said for longer is given up: a guest that does not write sends little. */
const silentMs = 60_000
const handshakeMs = 10_000
const mostConnections = 256

export interface MachineListener {
  port: number
  /** Lets one who knows the secret connect for a migration. Returns the secret. */
  open(migration: string, take: (channel: Channel) => void): string
  /** Ends that. */
  close(migration: string): void
  stop(): void
}

/** Listens for machines of other hosts. */
export async function listenForMachines(
  at: { host: string; port: number },
  log: Pick<Log, 'warn'>,
): Promise<MachineListener> {
  const awaited = new Map<string, { key: Buffer; take: (channel: Channel) => void }>()
  const named = new WeakMap<TLSSocket, string>()
  const sockets = new Set<Socket>()
  const server = createServer({
    ...tls,
    handshakeTimeout: handshakeMs,
    pskCallback: (socket, migration) => {
      named.set(socket, migration)
      return awaited.get(migration)?.key ?? null
    },
  })
  server.maxConnections = mostConnections
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', (error) =>
    log.warn({ reason: messageOf(error) }, 'a connection for a machine was refused'),
  )
  server.on('secureConnection', (socket) => {
    const one = awaited.get(named.get(socket) ?? '')
    if (!one) return void socket.destroy()
    one.take(new Channel(watched(socket)))
  })
  server.listen(at)
  await once(server, 'listening')
  server.on('error', (error) => log.warn({ reason: messageOf(error) }, 'a connection was not accepted'))
  return {
    port: (server.address() as AddressInfo).port,
    open: (migration, take) => {
      const key = randomBytes(keyBytes)
      awaited.set(migration, { key, take })
      return key.toString('hex')
    },
    close: (migration) => void awaited.delete(migration),
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Connects to a host that waits for a machine. Throws if it does not answer, or does not know the secret. */
export async function connectForMachine(
  { address, port, secret }: VmWay,
  migration: string,
): Promise<Channel> {
  const socket = connect({
    ...tls,
    host: address,
    port,
    // Nothing but the secret proves who answers.
    ca: [],
    checkServerIdentity: () => new Error('the other host shows a certificate'),
    pskCallback: () => ({ psk: Buffer.from(secret, 'hex'), identity: migration }),
  })
  watched(socket)
  try {
    await once(socket, 'secureConnect')
  } catch (error) {
    throw new Error(`the other host does not answer at ${address}, port ${port}`, { cause: error })
  }
  return new Channel(socket)
}

function watched(socket: TLSSocket): TLSSocket {
  socket.setTimeout(silentMs, () => socket.destroy(new Error('the other host says nothing')))
  return socket
}
