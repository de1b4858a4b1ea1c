/** Pieces of a file as the worker reads them. */
import type { Counted } from './tracker.ts'

/** What the page asks of the worker. The file itself goes first. */
export interface Asked {
  id: number
  offset: number
  length: number
  /** Else only the checksum is wanted. */
  encode: boolean
}
export interface Piece extends Counted {
  /** null for nothing but zeros, which new disks hold by themselves, and where it was not wanted */
  base64: string | null
}
export type Answered = { id: number } & ({ piece: Piece } | { failure: string })

/** A checksum of bytes, an unsigned 32-bit number, and whether all of them are zeros. */
export function sumOf(bytes: Uint8Array): { sum: number; isZero: boolean } {
  // Signed words are the numbers that engines calculate fastest with; iterating costs three times as much.
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  let sum = 0x811c9dc5 | 0
  let any = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? 0
    any |= word
    sum = Math.imul(sum ^ word, 0x01000193)
  }
  // Blocks have lengths that four divides; what is left of other bytes counts as well.
  for (const byte of bytes.subarray(words.length * 4)) {
    any |= byte
    sum = Math.imul(sum ^ byte, 0x01000193)
  }
  return { sum: (sum ^ (sum >>> 15)) >>> 0, isZero: any === 0 }
}
