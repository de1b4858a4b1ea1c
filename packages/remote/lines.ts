/** Streams of lines, each a JSON value. */
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { Schema } from '@purlin/contract/schema'
import { encode, jsonText } from '@purlin/contract/wire'
import { parse } from '@purlin/core/http/validate'
import { longestLine } from './calls.ts'

/** A body or a line that is longer than the protocol allows. */
export class TooLong extends Error {
  override name = 'TooLong'
}

/** Writes a line, and waits while the reader is behind. */
export async function writeLine<O>(to: Writable, schema: Schema<O>, value: NoInfer<O>): Promise<void> {
  if (to.destroyed) throw new Error('the stream has ended')
  if (!to.write(`${jsonText(encode(schema, value))}\n`)) await drained(to)
}

/** Resolves when the stream takes more. Throws if it ends. */
async function drained(to: Writable): Promise<void> {
  const ended = new AbortController()
  try {
    await Promise.race([
      once(to, 'drain', { signal: ended.signal }),
      once(to, 'close', { signal: ended.signal }).then(() =>
        Promise.reject(new Error('the stream has ended')),
      ),
    ])
  } finally {
    ended.abort()
  }
}

/** Reads lines until the stream ends. Throws TooLong, Invalid. */
export async function* readLines<O>(from: Readable, schema: Schema<O>): AsyncGenerator<O> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of from as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end)
      rest = rest.subarray(end + 1)
      yield parse(schema, JSON.parse(line.toString('utf8')))
    }
    if (rest.length > longestLine) throw new TooLong(`a line has more than ${longestLine} bytes`)
  }
}

/** Reads all of a stream. Throws TooLong. */
export async function readAll(from: Readable, most: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of from as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > most) throw new TooLong(`a body has more than ${most} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
