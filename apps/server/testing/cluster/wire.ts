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

/** The near end, which the process has that began it, and the far one. */
type Connection = readonly [near: Socket, far: Socket]

/** Opens a wire that listens at one place and leads to another. */
export async function openWire(
  at: { host: string; port: number },
  to: { host: string; port: number },
): Promise<Wire> {
  const connections = new Set<Connection>()
  const parted = new Set<Connection>()
  let isCut = (_one: Connection): boolean => false
  const server = createServer((near) => {
    const far = connect(to)
    const one: Connection = [near, far]
    connections.add(one)
    const end = () => {
      near.destroy()
      far.destroy()
      connections.delete(one)
      parted.delete(one)
    }
    for (const socket of one) socket.on('error', end).on('close', end)
    if (isCut(one)) parted.add(one)
    else join(one)
  })
  server.listen(at)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut: (pid) => {
      isCut = ([near]) => pid === undefined || isOf(pid, near)
      for (const one of connections) {
        if (!isCut(one)) continue
        part(one)
        parted.add(one)
      }
    },
    mend: () => {
      isCut = () => false
      for (const one of parted) join(one)
      parted.clear()
    },
    close: () => {
      server.close()
      for (const ends of connections) for (const socket of ends) socket.destroy()
    },
  }
}

function join([near, far]: Connection): void {
  near.pipe(far)
  far.pipe(near)
}

function part([near, far]: Connection): void {
  near.unpipe(far)
  far.unpipe(near)
  for (const socket of [near, far]) socket.pause()
}

/** True if a process has the other end of a connection. Connections to different places may have one port. */
function isOf(pid: number, { localAddress, localPort, remoteAddress, remotePort }: Socket): boolean {
  const [from, to] = [inTable(remoteAddress, remotePort), inTable(localAddress, localPort)]
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const rows = lines.map((line) => line.trim().split(/\s+/))
  const inode = rows.find(([, local, remote]) => local === from && remote === to)?.[9]
  return inode !== undefined && socketsOf(pid).includes(`socket:[${inode}]`)
}

/** As in `/proc/net/tcp`: the bytes of the address in reverse. */
function inTable(address = '', port = 0): string {
  const bytes = address.split('.').toReversed()
  return `${bytes.map((byte) => hex(Number(byte), 2)).join('')}:${hex(port, 4)}`
}

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0')

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
