/**
 * Sends the bodies of answers in pieces, as fast as clients read them. Unsent parts are in memory, so they are
 * limited in bytes and in the time without a read.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '@purlin/contract/rules/limits'
import type { Log } from '@purlin/core/ports'

export interface Answers {
  /** Sends a body and ends the response. `address` is whose bytes they count as until then. */
  send: (response: ServerResponse, body: string | Uint8Array, address: string) => void
}

interface Bounds {
  /** bytes of one address, of all, and of one that are no matter */
  address: number
  all: number
  small: number
  /** the longest time without a read of a client, ms */
  patienceMs: number
}

/** A connection on which answers are being sent: several, if its client sent several requests together. */
interface Held {
  socket: Socket
  address: string
  bytes: number
  /** when the client last read some of it */
  readAt: number
  onClose: () => void
}

const pieceBytes = 256 * 1024

interface Unread {
  /** Reserves this number of bytes on a connection; undefined if the connection is closed. */
  hold: (socket: Socket, address: string, bytes: number) => Held | undefined
  /** Notes that the client has read some of it. */
  progress: (one: Held) => void
  release: (one: Held, bytes: number) => void
}

/** Beyond the limits, the connections without a read for the longest time are closed. */
function createUnread(log: Log, most: Bounds): Unread {
  // In order of their last read, the oldest first.
  const held = new Map<Socket, Held>()
  const bytesOf = new Map<string, number>()
  let all = 0
  let watch: NodeJS.Timeout | undefined

  function add(one: Held, bytes: number): void {
    const sum = (bytesOf.get(one.address) ?? 0) + bytes
    if (sum > 0) bytesOf.set(one.address, sum)
    else bytesOf.delete(one.address)
    one.bytes += bytes
    all += bytes
  }

  function release(one: Held, bytes: number): void {
    add(one, -bytes)
    if (one.bytes > 0) return
    held.delete(one.socket)
    one.socket.off('close', one.onClose)
    if (held.size > 0) return
    clearInterval(watch)
    watch = undefined
  }

  function close(one: Held): void {
    log.info({ remote: one.address, bytes: one.bytes }, 'connection closed: its answer is not read')
    one.socket.destroy()
    release(one, one.bytes)
  }

  function closeUnread(): void {
    const oldest = performance.now() - most.patienceMs
    for (const one of held.values()) {
      if (one.readAt > oldest) return
      close(one)
    }
  }

  function open(socket: Socket, address: string): Held {
    const onClose = () => release(one, one.bytes)
    const one: Held = { socket, address, bytes: 0, readAt: performance.now(), onClose }
    held.set(socket, one)
    socket.once('close', onClose)
    watch ??= setInterval(closeUnread, most.patienceMs / 4).unref()
    return one
  }

  function hold(socket: Socket, address: string, bytes: number): Held | undefined {
    for (const one of held.values()) {
      const isOfAddress = one.address === address && (bytesOf.get(address) ?? 0) + bytes > most.address
      if (isOfAddress || all + bytes > most.all) close(one)
    }
    if (socket.destroyed) return undefined
    const one = held.get(socket) ?? open(socket, address)
    add(one, bytes)
    return one
  }

  function progress(one: Held): void {
    one.readAt = performance.now()
    if (held.delete(one.socket)) held.set(one.socket, one)
  }

  return { hold, progress, release }
}

/** Answers of one server. */
export function createAnswers(log: Log, most: Bounds = limits.answersInFlight): Answers {
  const unread = createUnread(log, most)
  return {
    send(response, body, address) {
      const bytes = Buffer.byteLength(body)
      // Text of single-byte characters has the same bytes in Latin-1, which is faster to write.
      if (bytes <= most.small) return void response.end(body, body.length === bytes ? 'latin1' : 'utf8')
      const one = unread.hold(response.req.socket, address, bytes)
      if (!one) return void response.destroy()
      const pieces = piecesOf(body, bytes)
      const write = () => {
        for (const { piece, isLast } of pieces) {
          if (isLast) return void response.end(piece, 'latin1')
          if (!response.write(piece, 'latin1')) return
        }
      }
      response.once('finish', () => {
        if (one.bytes > 0) unread.release(one, bytes)
      })
      response.on('drain', () => {
        unread.progress(one)
        write()
      })
      write()
    },
  }
}

interface Piece {
  piece: string | Uint8Array
  isLast: boolean
}

/** The pieces, which continue where they were left: a loop that ends early leaves the rest for the next. */
function piecesOf(body: string | Uint8Array, bytes: number): Iterable<Piece> {
  const whole = typeof body === 'string' && body.length < bytes ? Buffer.from(body) : body
  let at = 0
  const next = (): IteratorResult<Piece> => {
    if (at >= bytes) return { done: true, value: undefined }
    const from = at
    at += pieceBytes
    const piece = typeof whole === 'string' ? whole.slice(from, at) : whole.subarray(from, at)
    return { done: false, value: { piece, isLast: at >= bytes } }
  }
  return { [Symbol.iterator]: () => ({ next }) }
}
