/** One client of a console: bytes between a WebSocket and a machine. */
import type { RawData, WebSocket } from 'ws'
import type { ClientStream } from '@purlin/core'
import type { ConsoleListener } from '@purlin/core/ports'

// Text of a machine cannot be slowed down. A client that falls this far behind is disconnected and can reconnect for
// the history; the limit allows a whole history in one piece.
const furthestBehind = 8 * 1024 * 1024
/** A stream that can be slowed down is held back until the client has read. */
const mostUnread = 1024 * 1024
const longestReason = 123

type State =
  | { at: 'waiting'; early: Uint8Array[]; size: number; end: { code: number; reason: string } | null }
  | { at: 'open'; ws: WebSocket }
  | { at: 'ended'; ws: WebSocket }

/**
 * Gets the machine's output from before the socket is open. Output until then is sent first. With `marksHistory`
 * an empty message after it marks its end, so that a terminal can leave the queries in it without an answer.
 */
export class ConsoleSocket implements ConsoleListener {
  #state: State = { at: 'waiting', early: [], size: 0, end: null }
  #stream: ClientStream | null = null
  #marksHistory: boolean
  #isPaused = false
  #answered = true
  #used = false

  constructor({ marksHistory = true } = {}) {
    this.#marksHistory = marksHistory
  }

  data(bytes: Uint8Array): void {
    const state = this.#state
    if (state.at === 'waiting' && !state.end) this.#keep(bytes, state)
    if (state.at !== 'open') return
    if (state.ws.bufferedAmount > furthestBehind) return this.leave(1013, 'the client reads too slowly')
    state.ws.send(bytes, { binary: true }, () => this.#slow(state.ws))
    this.#slow(state.ws)
  }

  closed(reason: string): void {
    this.leave(1001, reason)
  }

  /** Sets the machine's side, once it is open. */
  connect(stream: ClientStream): void {
    const state = this.#state
    if (state.at === 'waiting' && !state.end) this.#stream = stream
    else stream.close()
  }

  /** Sets the client's side; from here on bytes are forwarded. */
  attach(ws: WebSocket): void {
    const waiting = this.#state
    this.#state = { at: 'open', ws }
    ws.on('message', (data, isBinary) => this.#type(data, isBinary))
    ws.on('pong', () => (this.#answered = true))
    // A protocol error closes the socket; the listener keeps it from ending the server.
    ws.on('error', () => undefined)
    ws.once('close', () => this.#end())
    if (waiting.at !== 'waiting') throw new Error('attached twice')
    for (const bytes of waiting.early) this.data(bytes)
    if (this.#marksHistory) this.data(new Uint8Array())
    if (waiting.end) this.leave(waiting.end.code, waiting.end.reason)
  }

  /** Ends with a close code and a reason for people. */
  leave(code: number, reason: string): void {
    const state = this.#state
    if (state.at === 'waiting') state.end ??= { code, reason }
    if (state.at === 'open') state.ws.close(code, shortened(reason))
    this.#end()
  }

  terminate(): void {
    if (this.#state.at !== 'waiting') this.#state.ws.terminate()
    this.#end()
  }

  /** Pings the client, and drops it if it has not answered the last ping. */
  ping(): void {
    if (this.#state.at !== 'open') return
    if (!this.#answered) return this.terminate()
    this.#answered = false
    this.#state.ws.ping()
  }

  /** True if the client has typed since the last call. */
  takeUse(): boolean {
    const used = this.#used
    this.#used = false
    return used
  }

  #keep(bytes: Uint8Array, state: Extract<State, { at: 'waiting' }>): void {
    if (state.size > furthestBehind) return this.leave(1013, 'the client reads too slowly')
    state.early.push(bytes)
    state.size += bytes.length
  }

  /** Holds the machine's output back while the client is behind. */
  #slow({ bufferedAmount }: WebSocket): void {
    const isBehind = bufferedAmount > (this.#isPaused ? mostUnread / 2 : mostUnread)
    if (isBehind === this.#isPaused) return
    this.#isPaused = isBehind
    this.#stream?.setPaused?.(isBehind)
  }

  #type(data: RawData, isBinary: boolean): void {
    if (!isBinary || !Buffer.isBuffer(data)) return
    if (this.#stream?.receive(new Uint8Array(data)) === true) this.#used = true
  }

  #end(): void {
    if (this.#state.at === 'open') this.#state = { at: 'ended', ws: this.#state.ws }
    this.#stream?.close()
    this.#stream = null
  }
}

/** Cuts a reason to the 123 bytes that a close frame has room for, between characters. */
export function shortened(reason: string): string {
  const bytes = new TextEncoder().encode(reason)
  if (bytes.length <= longestReason) return reason
  return new TextDecoder().decode(bytes.subarray(0, longestReason)).replace(/\uFFFD+$/, '')
}
