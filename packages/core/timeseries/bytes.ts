/**
 * Compact encoding of numbers by second-order differences, which are small for values that are measured at
 * regular intervals.
 */

const view = new DataView(new ArrayBuffer(8))

/** A buffer that grows. */
export class ByteWriter {
  #data = new Uint8Array(256)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Empties the buffer and keeps its memory. */
  clear(): void {
    this.#length = 0
  }

  byte(value: number): void {
    if (this.#length === this.#data.length) this.#grow(1)
    this.#data[this.#length++] = value
  }

  /** Appends the bytes of another writer. */
  append(other: ByteWriter): void {
    this.#grow(other.length)
    this.#data.set(other.#data.subarray(0, other.length), this.#length)
    this.#length += other.length
  }

  #grow(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#data.length) return
    const grown = new Uint8Array(Math.max(needed, 2 * this.#data.length))
    grown.set(this.#data.subarray(0, this.#length))
    this.#data = grown
  }

  /** An integer from 0 to 2^53, seven bits per byte (LEB128). */
  varint(value: number): void {
    let rest = value
    for (; rest > 127; rest = Math.floor(rest / 128)) this.byte((rest % 128) | 128)
    this.byte(rest)
  }

  /** An integer from -2^53 to 2^53. */
  signed(value: number): void {
    const size = Math.abs(value)
    const sign = value < 0 ? 64 : 0
    if (size < 64) return this.byte(size | sign)
    this.byte((size % 64) | sign | 128)
    this.varint(Math.floor(size / 64))
  }

  float(value: number): void {
    view.setFloat64(0, value)
    for (let i = 0; i < 8; i++) this.byte(view.getUint8(i))
  }

  /** A copy of the bytes. */
  take(): Uint8Array {
    return this.#data.slice(0, this.#length)
  }
}

export class ByteReader {
  #data: Uint8Array
  #at = 0

  constructor(data: Uint8Array) {
    this.#data = data
  }

  get atEnd(): boolean {
    return this.#at >= this.#data.length
  }

  byte(): number {
    return this.#data[this.#at++] ?? 0
  }

  varint(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const one = this.byte()
      value += (one & 127) * scale
      if (one < 128) return value
      scale *= 128
    }
  }

  signed(): number {
    const first = this.byte()
    const size = (first & 63) + (first > 127 ? this.varint() * 64 : 0)
    return first & 64 ? -size : size
  }

  float(): number {
    for (let i = 0; i < 8; i++) view.setUint8(i, this.byte())
    return view.getFloat64(0)
  }

  skip(length: number): void {
    this.#at += length
  }
}

const integers = 0
const floats = 1

/** Writes at least one number in the format of `readColumn`. */
export function writeColumn(to: ByteWriter, values: ArrayLike<number>): void {
  const steps = secondDifferences(values)
  if (!steps) {
    to.byte(floats)
    for (let i = 0; i < values.length; i++) to.float(values[i] ?? NaN)
    return
  }
  to.byte(integers)
  to.signed(values[0] ?? 0)
  for (let i = 0; i < steps.length;) {
    const step = steps[i] ?? 0
    let end = i + 1
    to.signed(step)
    if (step === 0) {
      while (end < steps.length && steps[end] === 0) end++
      to.varint(end - i)
    }
    i = end
  }
}

/** The second-order differences; null if integers cannot represent them exactly. */
function secondDifferences(values: ArrayLike<number>): number[] | null {
  const steps: number[] = []
  let [last = 0, lastDelta] = [values[0], 0]
  if (!Number.isSafeInteger(last)) return null
  for (let i = 1; i < values.length; i++) {
    const value = values[i] ?? NaN
    const delta = value - last
    const step = delta - lastDelta
    if (!Number.isSafeInteger(value) || !Number.isSafeInteger(delta) || !Number.isSafeInteger(step))
      return null
    steps.push(step)
    last = value
    lastDelta = delta
  }
  return steps
}

/** Reads `count` numbers. Returns a plain array, which is much cheaper for short columns. */
export function readColumn(from: ByteReader, count: number): number[] {
  const values: number[] = []
  if (from.byte() === floats) {
    while (values.length < count) values.push(from.float())
    return values
  }
  let value = from.signed()
  let delta = 0
  values.push(value)
  while (values.length < count) {
    const step = from.signed()
    delta += step
    for (let rest = step === 0 ? from.varint() : 1; rest > 0; rest--) values.push((value += delta))
  }
  return values
}
