/** One client of a serial console: bytes between a WebSocket and a machine. */
import type { RawData, WebSocket } from 'ws'
import type { ConsoleListener, ConsoleStream } from '@purlin/core/ports'

// A machine's output cannot be slowed down. A client that falls this far behind is disconnected and can reconnect for
// the history; the limit allows a whole history in one piece.
const furthestBehind = 8 * 1024 * 1024
const longestReason = 123

type State =
  | { at: 'waiting'; early: Uint8Array[]; end: { code: number; reason: string } | null }
  | { at: 'open'; ws: WebSocket }
  | { at: 'ended'; ws: WebSocket }

/**
 * Gets the machine's output from before the socket is open. Output until then is sent first; an empty message after it
 * marks the end of earlier output, so that a terminal can leave the queries in it without an answer.
 */
export class ConsoleSocket implements ConsoleListener {
  #state: State = { at: 'waiting', early: [], end: null }
  #stream: ConsoleStream | null = null
  #answered = true
  #used = false

  data(bytes: Uint8Array): void {
    const state = this.#state
    if (state.at === 'waiting') state.early.push(bytes)
    if (state.at !== 'open') return
    if (state.ws.bufferedAmount > furthestBehind) return this.leave(1013, 'the client reads too slowly')
    state.ws.send(bytes, { binary: true })
  }

  closed(reason: string): void {
    this.leave(1001, reason)
  }

  /** Sets the machine's side, once it is open. */
  connect(stream: ConsoleStream): void {
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
    this.data(new Uint8Array())
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

  #type(data: RawData, isBinary: boolean): void {
    if (!isBinary || !Buffer.isBuffer(data)) return
    this.#used = true
    this.#stream?.write(new Uint8Array(data))
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
