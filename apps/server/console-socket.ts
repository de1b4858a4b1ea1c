/** One client of a serial console: bytes between a WebSocket and a machine. */
import type { RawData, WebSocket } from 'ws'
import type { ConsoleListener, ConsoleStream } from '@purlin/core/ports'

// A machine cannot be told to talk slower. Who reads so far behind is let go and may come back for the
// history; the limit leaves room for a whole history at once.
const furthestBehind = 8 * 1024 * 1024
const longestReason = 123

type Place =
  | { at: 'waiting'; early: Uint8Array[]; end: { code: number; reason: string } | null }
  | { at: 'open'; ws: WebSocket }
  | { at: 'ended'; ws: WebSocket }

/** Hears the machine from before the socket is open; what it says meanwhile is kept and sent first. */
export class ConsoleSocket implements ConsoleListener {
  #place: Place = { at: 'waiting', early: [], end: null }
  #stream: ConsoleStream | null = null
  #answered = true
  #used = false

  data(bytes: Uint8Array): void {
    const place = this.#place
    if (place.at === 'waiting') place.early.push(bytes)
    if (place.at !== 'open') return
    if (place.ws.bufferedAmount > furthestBehind) return this.leave(1013, 'the client reads too slowly')
    place.ws.send(bytes, { binary: true })
  }

  closed(reason: string): void {
    this.leave(1001, reason)
  }

  /** The machine's side, as soon as it is open. */
  connect(stream: ConsoleStream): void {
    const place = this.#place
    if (place.at === 'waiting' && !place.end) this.#stream = stream
    else stream.close()
  }

  /** The client's side; from here on bytes flow. */
  attach(ws: WebSocket): void {
    const waiting = this.#place
    this.#place = { at: 'open', ws }
    ws.on('message', (data, isBinary) => this.#type(data, isBinary))
    ws.on('pong', () => (this.#answered = true))
    // A protocol error closes the socket by itself; the listener keeps it from ending the server.
    ws.on('error', () => undefined)
    ws.once('close', () => this.#end())
    if (waiting.at !== 'waiting') throw new Error('attached twice')
    for (const bytes of waiting.early) this.data(bytes)
    if (waiting.end) this.leave(waiting.end.code, waiting.end.reason)
  }

  /** Ends with a close code and a reason for people. */
  leave(code: number, reason: string): void {
    const place = this.#place
    if (place.at === 'waiting') place.end ??= { code, reason }
    if (place.at === 'open') place.ws.close(code, shortened(reason))
    this.#end()
  }

  terminate(): void {
    if (this.#place.at !== 'waiting') this.#place.ws.terminate()
    this.#end()
  }

  /** Asks for a sign of life; without one since the last time, the client is gone. */
  ping(): void {
    if (this.#place.at !== 'open') return
    if (!this.#answered) return this.terminate()
    this.#answered = false
    this.#place.ws.ping()
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
    if (this.#place.at === 'open') this.#place = { at: 'ended', ws: this.#place.ws }
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
