/** Chunks of a file and the messages between the page and the worker that reads them. */
import type { Checksummed } from '../tracker.ts'

/** Whether a chunk comes with its bytes: never, unless it is all zeros, or always. */
export type Content = 'none' | 'content' | 'all'
/** A request of the page. The file itself is sent first. */
export interface ReadRequest {
  id: number
  offset: number
  length: number
  content: Content
}
export interface FileChunk extends Checksummed {
  /** null if they were not requested */
  bytes: Uint8Array | null
}
export type ReadResponse = { id: number } & ({ chunk: FileChunk } | { failure: string })

/** The chunk with these bytes. */
export function chunkOf(bytes: Uint8Array, content: Content): FileChunk {
  const { sum, isZero } = checksum(bytes)
  const isIncluded = content === 'all' || (content === 'content' && !isZero)
  return { length: bytes.length, sum, bytes: isIncluded ? bytes : null }
}

/** A checksum of bytes, an unsigned 32-bit number, and whether all bytes are zero. */
function checksum(bytes: Uint8Array): { sum: number; isZero: boolean } {
  // Engines compute fastest with signed 32-bit integers; iterating over an array takes three times as long.
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  let sum = 0x811c9dc5 | 0
  let any = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? 0
    any |= word
    sum = Math.imul(sum ^ word, 0x01000193)
  }
  // Block sizes are multiples of four; the rest of other lengths is added byte by byte.
  for (const byte of bytes.subarray(words.length * 4)) {
    any |= byte
    sum = Math.imul(sum ^ byte, 0x01000193)
  }
  return { sum: (sum ^ (sum >>> 15)) >>> 0, isZero: any === 0 }
}
