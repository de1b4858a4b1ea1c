/** Limits connections, in total and per address, and the requests under way on each of them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { limits } from '@purlin/contract/rules/limits'
import type { Log } from '@purlin/core/ports'
import { clientOf } from '@purlin/core'

export interface ConnectionLimits {
  all: number
  /** Undefined if all connections come from a proxy. */
  perAddress: number | undefined
}

const warnEveryMs = 60_000

/** Makes a function that logs a warning, at most once in a minute. */
export function createWarning(log: Log, message: string): (fields: object) => void {
  let warned = -Infinity
  return (fields) => {
    if (performance.now() - warned < warnEveryMs) return
    warned = performance.now()
    log.warn({ ...fields }, message)
  }
}

/** Closes connections beyond the limits as they come. */
export function limitConnections(server: Server, most: ConnectionLimits, log: Log): void {
  server.maxConnections = most.all
  const warn = createWarning(log, 'connections are closed because there are too many')
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

/** Counts a request. False if its connection has been closed because of it: then it is dropped. */
export type CountRequest = (message: IncomingMessage, response: ServerResponse) => boolean

/**
 * A client may send its next request before the last one is answered. Node reads all that have arrived, so a connection
 * with too many is closed: the client sends them again (RFC 9112, section 9.3.2).
 */
export function createRequestCount(log: Log): CountRequest {
  const underWay = new WeakMap<Socket, number>()
  const warn = createWarning(log, 'connections are closed because they have too many requests under way')
  return ({ socket }, response) => {
    if (socket.destroyed) return false
    const count = (underWay.get(socket) ?? 0) + 1
    if (count > limits.requestsOfConnection) {
      warn({ requests: count, address: socket.remoteAddress })
      endParsing(socket)
      socket.destroy()
      return false
    }
    underWay.set(socket, count)
    response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
    return true
  }
}

/**
 * Of one piece of 64 KiB the parser would read all requests, some 2 300, before it notices that the connection is closed,
 * at 20 µs each. It has no public way to end early: an answer other than Node's own makes it fail at the next head.
 */
function endParsing(socket: Socket): void {
  const parser = Reflect.get(socket, 'parser') as { onIncoming?: () => number } | null | undefined
  if (parser) parser.onIncoming = () => -1
}
