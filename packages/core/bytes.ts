/** Large bodies as bytes: read without making a text of them, and given back as soon as they are done with. */
import { decodedLength, fromBase64 } from '@purlin/contract/wire'

interface BufferLike extends Uint8Array {
  toString(encoding?: 'latin1', from?: number, to?: number): string
  write(text: string, at: number, encoding: 'base64'): number
}
// Runtimes know these, but they belong to no platform's types that compile here.
interface Platform {
  TextDecoder: new (label: string, options: { ignoreBOM: boolean }) => { decode(bytes: Uint8Array): string }
  Buffer?: {
    from(data: ArrayBufferLike, offset: number, length: number): BufferLike
    allocUnsafeSlow(length: number): BufferLike
  }
}
const platform = globalThis as unknown as Platform
const decoder = new platform.TextDecoder('utf-8', { ignoreBOM: true })

/** The text of its UTF-8 bytes; what is none becomes U+FFFD. */
export const utf8 = (bytes: Uint8Array): string => decoder.decode(bytes)

// Texts of this length live and die where the runtime keeps what is young, which costs nearly nothing.
const step = 48 * 1024

/** What standard base64 with padding stands for, from the bytes of its text. Throws for anything else. */
export function decodeBase64(text: Uint8Array): Uint8Array {
  const { Buffer } = platform
  if (!Buffer) return fromBase64(utf8(text))
  const source = Buffer.from(text.buffer, text.byteOffset, text.length)
  const data = Buffer.allocUnsafeSlow(Math.floor(text.length / 4) * 3)
  let length = 0
  for (let at = 0; at < text.length; at += step) {
    const piece = source.toString('latin1', at, at + step)
    // Padding stands at the very end only, so what comes before it is whole.
    const isWhole = length === (at / 4) * 3
    const more = decodedLength(piece)
    if (!isWhole || data.write(piece, length, 'base64') !== more) throw new Error('invalid base64')
    length += more
  }
  return new Uint8Array(data.buffer, 0, length)
}

/**
 * Frees the memory of large bytes that nobody will look at again. Left to the garbage collector, a stream
 * of them keeps it busy all the time. Bytes that share their memory with others are left alone.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength - byteLength <= 2) buffer.transfer(0)
}
