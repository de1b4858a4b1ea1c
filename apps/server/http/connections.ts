/** How many connections there may be: in all, and from one address. */
import type { Server, Socket } from 'node:net'
import type { Log } from '@purlin/core/ports'
import { clientOf } from '@purlin/core'

export interface ConnectionLimits {
  all: number
  /** Undefined if all connections come from a proxy. */
  perAddress: number | undefined
}

const warnEveryMs = 60_000

/** Closes connections beyond the limits as they come. */
export function limitConnections(server: Server, most: ConnectionLimits, log: Log): void {
  server.maxConnections = most.all
  let warned = -Infinity
  const warn = (fields: Record<string, unknown>) => {
    if (performance.now() - warned < warnEveryMs) return
    warned = performance.now()
    log.warn(fields, 'connections are closed because there are too many')
  }
  server.on('drop', (at) => warn({ connections: most.all, address: at?.remoteAddress }))
  const { perAddress } = most
  if (perAddress === undefined) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const group = clientOf(remoteAddress)
    const count = (open.get(group) ?? 0) + 1
    if (count > perAddress) {
      warn({ connectionsOfAddress: perAddress, address: remoteAddress })
      return void socket.destroy()
    }
    open.set(group, count)
    socket.once('close', () => {
      const left = (open.get(group) ?? 1) - 1
      if (left > 0) open.set(group, left)
      else open.delete(group)
    })
  })
}
