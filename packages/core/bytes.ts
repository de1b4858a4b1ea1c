/** Large bodies as bytes: read without one large string, and freed as soon as they are no longer needed. */
import { decodedLength, fromBase64, toBase64 } from '@purlin/contract/wire'

interface BufferLike extends Uint8Array {
  toString(encoding?: 'latin1', from?: number, to?: number): string
  write(text: string, at: number, encoding: 'base64'): number
}
// The runtimes have these methods, but none of the type libraries in use declares them.
interface Platform {
  TextEncoder: new () => { encode(text: string): Uint8Array }
  TextDecoder: new (
    label: string,
    options: { ignoreBOM: boolean; fatal?: boolean },
  ) => { decode(bytes: Uint8Array): string }
  Buffer?: {
    from(data: ArrayBufferLike, offset: number, length: number): BufferLike
    allocUnsafeSlow(length: number): BufferLike
  }
}
const platform = globalThis as unknown as Platform
const decoder = new platform.TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
const lenientDecoder = new platform.TextDecoder('utf-8', { ignoreBOM: true })

const encoder = new platform.TextEncoder()

/** Encodes UTF-8. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** Hexadecimal digits. */
export const hexOf = (data: Uint8Array): string =>
  Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Base64 for addresses and cookies, without padding (RFC 4648, section 5). */
export const base64UrlOf = (data: Uint8Array): string =>
  toBase64(data).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Decodes UTF-8. Throws for bytes that are not UTF-8. */
export const utf8 = (bytes: Uint8Array): string => decoder.decode(bytes)

/** The text before the first bytes that are not UTF-8. */
export function validStart(bytes: Uint8Array): string {
  const text = lenientDecoder.decode(bytes)
  // Invalid bytes became U+FFFD, which has other bytes than they.
  const valid = bytesOf(text)
  const end = valid.findIndex((byte, at) => byte !== bytes[at])
  return lenientDecoder.decode(end < 0 ? bytes : bytes.subarray(0, end))
}

// Strings of this length stay in the garbage collector's young generation, where freeing them is cheap.
const step = 48 * 1024

/** Decodes standard base64 with padding, given as the bytes of its text. Throws for anything else. */
export function decodeBase64(text: Uint8Array): Uint8Array {
  const { Buffer } = platform
  if (!Buffer) return fromBase64(utf8(text))
  const source = Buffer.from(text.buffer, text.byteOffset, text.length)
  const data = Buffer.allocUnsafeSlow(Math.floor(text.length / 4) * 3)
  let length = 0
  for (let at = 0; at < text.length; at += step) {
    const piece = source.toString('latin1', at, at + step)
    // Padding is allowed only at the very end, so everything before the last group decodes to whole groups.
    const isWhole = length === (at / 4) * 3
    const more = decodedLength(piece)
    if (!isWhole || data.write(piece, length, 'base64') !== more) throw new Error('invalid base64')
    length += more
  }
  return new Uint8Array(data.buffer, 0, length)
}

/**
 * Frees the memory of large bytes that are not read again. Otherwise a stream of them keeps the garbage collector
 * running all the time. Bytes that share their buffer with others are not freed.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength - byteLength <= 2) buffer.transfer(0)
}

/** Bytes that are worth a write or a read of a file. */
export const pieceLength = 1024 * 1024

/** Joins bytes into pieces that are worth a write. Each overwrites the memory of the last one. */
export async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const room = new Uint8Array(pieceLength)
  let used = 0
  for await (const some of bytes)
    for (let at = 0; at < some.length;) {
      const part = some.subarray(at, at + pieceLength - used)
      room.set(part, used)
      used += part.length
      at += part.length
      if (used < pieceLength) continue
      yield room
      used = 0
    }
  if (used > 0) yield room.subarray(0, used)
}
