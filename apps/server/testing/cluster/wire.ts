/** A wire between processes of this machine, as a network would be: it can be cut without a word to either end. */
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'

export interface Wire {
  port: number
  /** Nothing gets through any more: of one process, or of all. */
  cut(pid?: number): void
  /** All that was sent since then arrives. */
  mend(): void
  close(): void
}

interface Connection {
  ends: [Socket, Socket]
  pid: number | undefined
}

/** Opens a wire that listens at one place and leads to another. */
export async function openWire(
  at: { host: string; port: number },
  to: { host: string; port: number },
  pids: () => number[] = () => [],
): Promise<Wire> {
  const connections = new Set<Connection>()
  let isCut = (_one: Connection): boolean => false
  const server = createServer((near) => {
    const far = connect(to)
    const one: Connection = { ends: [near, far], pid: ownerOf(near.remotePort ?? 0, pids()) }
    connections.add(one)
    const end = () => {
      near.destroy()
      far.destroy()
      connections.delete(one)
    }
    for (const socket of one.ends) socket.on('error', end).on('close', end)
    if (!isCut(one)) join(one)
  })
  server.listen(at)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut: (pid) => {
      isCut = (one) => pid === undefined || one.pid === pid
      for (const one of connections) if (isCut(one)) part(one)
    },
    mend: () => {
      const before = isCut
      isCut = () => false
      for (const one of connections) if (before(one)) join(one)
    },
    close: () => {
      server.close()
      for (const { ends } of connections) for (const socket of ends) socket.destroy()
    },
  }
}

function join({ ends: [near, far] }: Connection): void {
  near.pipe(far)
  far.pipe(near)
}

function part({ ends: [near, far] }: Connection): void {
  near.unpipe(far)
  far.unpipe(near)
  for (const socket of [near, far]) socket.pause()
}

/** The process that has a port of 127.0.0.1; undefined if it is none of these. */
function ownerOf(port: number, pids: readonly number[]): number | undefined {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const inode = lines.map((line) => line.trim().split(/\s+/)).find((words) => words[1] === local)?.[9]
  return pids.find((pid) => inode !== undefined && socketsOf(pid).includes(`socket:[${inode}]`))
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
  } catch {
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
