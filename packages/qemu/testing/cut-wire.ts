/** A wire between two hosts that breaks. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The bytes after which the first connection is cut, towards the host that waits and back. */
export interface Cut {
  there?: number
  back?: number
  /** It carries nothing from then on, and is not cut. */
  holds?: boolean
}

/** Leads to a port of this machine. Counts what its last connection has carried. */
export async function cutWire(to: number, cut: Cut = {}) {
  const carried = { there: 0, back: 0 }
  const sockets = new Set<Socket>()
  let isFirst = true
  const server = createServer((near) => {
    const most = isFirst ? cut : {}
    isFirst = false
    carried.there = carried.back = 0
    const far = connect(to, '127.0.0.1')
    const cutBoth = () => {
      near.destroy()
      far.destroy()
    }
    const lead = (from: Socket, other: Socket, way: 'there' | 'back') => {
      const end = most.holds === true ? () => void from.pause() : cutBoth
      sockets.add(from)
      from.on('error', () => undefined)
      from.on('close', () => (from.destroyed && from.errored ? other.destroy() : other.end()))
      from.on('data', (bytes: Buffer) => {
        const room = (most[way] ?? Infinity) - carried[way]
        carried[way] += bytes.length
        if (bytes.length <= room) return void other.write(bytes)
        other.write(bytes.subarray(0, Math.max(0, room)), end)
      })
    }
    lead(near, far, 'there')
    lead(far, near, 'back')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    carried,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
