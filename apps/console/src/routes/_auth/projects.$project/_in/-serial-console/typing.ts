/** What is typed or pasted, as bytes on a serial line. */

/** How far two moments lie apart is told by whoever owns the clock: tests own theirs. */
export interface Timer {
  now(): number
  /** Runs `fn` once after `ms`; the function returned calls it off. */
  after(ms: number, fn: () => void): () => void
}

const encoder = new TextEncoder()

/** Text as UTF-8, which is what guests expect. */
export const encode = (text: string): Uint8Array => encoder.encode(text)

/** Bytes that came as one character each, as mouse reports do. */
export const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0) & 0xff)

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Cuts bytes into pieces of at most `size`, never inside a character. */
export function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const cut: Uint8Array[] = []
  let from = 0
  while (from < bytes.length) {
    let to = Math.min(bytes.length, from + size)
    while (to > from + 1 && isContinuation(bytes[to])) to -= 1
    cut.push(bytes.subarray(from, to))
    from = to
  }
  return cut
}

// About what a line of 115200 baud carries: guests lose what comes faster than they can read.
const pieceSize = 128
const pauseMs = 12

/** Sends what is typed at once, and long pastes piece by piece, in the order in which they came. */
export class Typist {
  #waiting: Uint8Array[] = []
  #cancel: (() => void) | undefined
  #send: (bytes: Uint8Array) => void
  #timer: Timer

  constructor(send: (bytes: Uint8Array) => void, timer: Timer) {
    this.#send = send
    this.#timer = timer
  }

  type(bytes: Uint8Array): void {
    this.#waiting.push(...pieces(bytes, pieceSize))
    if (!this.#cancel) this.#next()
  }

  /** Forgets what was not sent yet. */
  clear(): void {
    this.#waiting = []
    this.#cancel?.()
    this.#cancel = undefined
  }

  #next(): void {
    this.#cancel = undefined
    const piece = this.#waiting.shift()
    if (!piece) return
    // Pacing starts with the second piece, so that single keys never wait for one another.
    if (this.#waiting.length > 0 || piece.length === pieceSize)
      this.#cancel = this.#timer.after(pauseMs, () => this.#next())
    this.#send(piece)
  }
}

/** How many lines a paste would enter; the last one counts only if something follows its break. */
export const linesOf = (text: string): number => text.replace(/(\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/).length
