/** Sends typed and pasted text to a serial console. */
import { createStore } from '#/lib/store.ts'

/** A clock with timers; tests have their own. */
export interface Timer {
  now(): number
  /** Runs `fn` once after `ms`; the returned function cancels it. */
  after(ms: number, fn: () => void): () => void
}

const encoder = new TextEncoder()

/** Text as UTF-8, which is what guests expect. */
export const encode = (text: string): Uint8Array => encoder.encode(text)

/** The bytes of a string with one character per byte, as in mouse reports. */
export const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0) & 0xff)

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Splits bytes into chunks of at most `size`, never inside a UTF-8 character. */
export function splitUtf8(bytes: Uint8Array, size: number): Uint8Array[] {
  const chunks: Uint8Array[] = []
  let from = 0
  while (from < bytes.length) {
    let to = Math.min(bytes.length, from + size)
    while (to > from + 1 && isContinuation(bytes[to])) to -= 1
    chunks.push(bytes.subarray(from, to))
    from = to
  }
  return chunks
}

// About the rate of a 115200 baud line: guests lose input that arrives faster than they read it.
const chunkSize = 128
const pauseMs = 12

/** Input of fewer bytes is sent before its progress could be read. */
const longPaste = 2048
/** The end of a paste for a guest that marks both ends (bracketed paste of xterm). */
const pasteEnd = '\x1b[201~'

/** Sends typed input immediately and long pastes in chunks, in order. */
export class PacedSender {
  /** How much of a long paste is sent, in whole percent; undefined without one. */
  readonly progress = createStore<number | undefined>(undefined)
  #waiting: Uint8Array[] = []
  /** bytes since nothing waited */
  #total = 0
  #sent = 0
  #cancel: (() => void) | undefined
  #send: (bytes: Uint8Array) => void
  #timer: Timer

  constructor(send: (bytes: Uint8Array) => void, timer: Timer) {
    this.#send = send
    this.#timer = timer
  }

  type(bytes: Uint8Array): void {
    if (!this.#cancel) this.#total = this.#sent = 0
    this.#total += bytes.length
    this.#waiting.push(...splitUtf8(bytes, chunkSize))
    if (!this.#cancel) this.#next()
  }

  /** Drops unsent input. */
  clear(): void {
    this.#waiting = []
    this.#cancel?.()
    this.#cancel = undefined
    this.progress.set(undefined)
  }

  /** Drops unsent input, but ends a paste whose end the guest waits for. */
  stop(): void {
    const unsent = new TextDecoder().decode(Uint8Array.from(this.#waiting.flatMap((chunk) => [...chunk])))
    this.clear()
    if (unsent.includes(pasteEnd)) this.type(encode(pasteEnd))
  }

  #next(): void {
    this.#cancel = undefined
    const chunk = this.#waiting.shift()
    if (!chunk) return
    // Pacing starts with the second chunk, so that single keys are never delayed.
    if (this.#waiting.length > 0 || chunk.length === chunkSize)
      this.#cancel = this.#timer.after(pauseMs, () => this.#next())
    this.#sent += chunk.length
    const isLong = this.#total >= longPaste && this.#waiting.length > 0
    this.progress.set(isLong ? Math.floor((100 * this.#sent) / this.#total) : undefined)
    this.#send(chunk)
  }
}

/** The number of lines in a paste, not counting an empty last one. */
export const linesOf = (text: string): number => text.replace(/(\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/).length
