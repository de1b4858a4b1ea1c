/** Pieces of a file as the worker reads them. */
import { toBase64 } from '@purlin/contract/wire'
import type { Counted } from './tracker.ts'

/** Whether a piece is wanted as text too: never, unless it is nothing but zeros, or always. */
export type Encoding = 'none' | 'content' | 'all'
/** What the page asks of the worker. The file itself goes first. */
export interface Asked {
  id: number
  offset: number
  length: number
  encode: Encoding
}
export interface Piece extends Counted {
  /** null where it was not wanted */
  base64: string | null
}
export type Answered = { id: number } & ({ piece: Piece } | { failure: string })

/** What is told of a piece, given its bytes. */
export function pieceOf(bytes: Uint8Array, encode: Encoding): Piece {
  const { sum, isZero } = sumOf(bytes)
  const isWanted = encode === 'all' || (encode === 'content' && !isZero)
  return { length: bytes.length, sum, base64: isWanted ? toBase64(bytes) : null }
}

/** A checksum of bytes, an unsigned 32-bit number, and whether all of them are zeros. */
function sumOf(bytes: Uint8Array): { sum: number; isZero: boolean } {
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
