import type { ConsoleChunk, ConsoleListener, ConsoleStart } from '@purlin/core/ports'
import { join } from './bytes.ts'

const MiB = 1024 * 1024

/**
 * Console output by absolute offset. Keeps the first and the latest `keep` bytes (1 MiB each) and drops the bytes
 * in between.
 */
export class ConsoleLog {
  #keep: number
  #head = new Uint8Array(4096)
  #tail: Uint8Array | undefined
  #total = 0

  constructor(keep = MiB) {
    this.#keep = keep
  }

  /** The number of bytes written, which is the offset of the next byte. */
  get total(): number {
    return this.#total
  }

  append(bytes: Uint8Array): void {
    const forHead = bytes.subarray(0, Math.max(0, this.#keep - this.#total))
    if (forHead.length > 0) this.#appendHead(forHead)
    const forTail = bytes.subarray(forHead.length)
    if (forTail.length > 0) this.#appendTail(forTail, this.#total + forHead.length)
    this.#total += bytes.length
  }

  /** At most `max` bytes at `from`. At or past the end: no data, and `end` is the end of the log. */
  from(from: number, max: number): ConsoleChunk | 'dropped' {
    if (from >= this.#total) return { data: new Uint8Array(0), end: this.#total }
    if (from >= this.#keep && from < this.#tailStart) return 'dropped'
    return this.#chunk(Math.max(0, from), max)
  }

  /**
   * At most `max` bytes, beginning `last` bytes before the end, or at 0 if there are fewer. A beginning in the
   * dropped middle moves to the oldest byte of the latest part.
   */
  last(last: number, max: number): ConsoleChunk {
    return this.#chunk(this.#startOfLast(last), max)
  }

  /** The bytes from a start to the end without the dropped middle. */
  replay(at: ConsoleStart): Uint8Array {
    const start = 'from' in at ? this.#afterGap(at.from) : this.#startOfLast(at.last)
    const first = this.#chunk(start, Infinity)
    if (first.end === this.#total) return first.data
    return join([first.data, this.#chunk(this.#tailStart, Infinity).data])
  }

  get #tailStart(): number {
    return Math.max(this.#keep, this.#total - this.#keep)
  }

  #afterGap(from: number): number {
    return from >= this.#keep ? Math.min(this.#total, Math.max(from, this.#tailStart)) : from
  }

  #startOfLast(last: number): number {
    const start = this.#total - Math.max(0, last)
    if (start <= 0) return 0
    return this.#total > 2 * this.#keep ? Math.max(start, this.#tailStart) : start
  }

  /** A chunk that ends at the dropped middle. */
  #chunk(start: number, max: number): ConsoleChunk {
    const gap = start < this.#keep && this.#tailStart > this.#keep
    const end = Math.min(gap ? this.#keep : this.#total, start + Math.max(0, max))
    const fromHead = this.#head.subarray(Math.min(start, this.#keep), Math.min(end, this.#keep))
    return { data: join([fromHead, ...this.#tailParts(Math.max(start, this.#keep), end)]), end }
  }

  #appendHead(bytes: Uint8Array): void {
    const needed = this.#total + bytes.length
    if (needed > this.#head.length) {
      const grown = new Uint8Array(Math.min(this.#keep, Math.max(needed, 2 * this.#head.length)))
      grown.set(this.#head.subarray(0, this.#total))
      this.#head = grown
    }
    this.#head.set(bytes, this.#total)
  }

  /** The tail is a ring buffer: the byte at offset `n` has the index `n % keep`. */
  #appendTail(bytes: Uint8Array, offset: number): void {
    this.#tail ??= new Uint8Array(this.#keep)
    const skipped = Math.max(0, bytes.length - this.#keep)
    const kept = bytes.subarray(skipped)
    const at = (offset + skipped) % this.#keep
    const untilWrap = kept.subarray(0, this.#keep - at)
    this.#tail.set(untilWrap, at)
    this.#tail.set(kept.subarray(untilWrap.length), 0)
  }

  #tailParts(start: number, end: number): Uint8Array[] {
    if (!this.#tail || start >= end) return []
    const at = start % this.#keep
    const untilWrap = this.#tail.subarray(at, Math.min(this.#keep, at + end - start))
    return [untilWrap, this.#tail.subarray(0, end - start - untilWrap.length)]
  }
}

/** The serial console of one boot of a machine: its log and its listeners. */
export class SerialConsole {
  readonly log = new ConsoleLog()
  #listeners = new Set<{ to: ConsoleListener }>()

  /** Output of the guest. */
  print(bytes: Uint8Array): void {
    this.log.append(bytes)
    // A listener that attaches during this loop has the bytes in its history.
    const listeners = [...this.#listeners]
    for (const listener of listeners) if (this.#listeners.has(listener)) listener.to.data(bytes)
  }

  /** Gives what there is from `start` on immediately, then follows. Returns a function that detaches the listener. */
  attach(start: ConsoleStart, to: ConsoleListener): () => void {
    const listener = { to }
    const past = this.log.replay(start)
    if (past.length > 0) to.data(past)
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Closes all listeners. The log is kept. */
  closeAll(reason: string): void {
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const { to } of listeners) to.closed(reason, this.log.total)
  }
}
