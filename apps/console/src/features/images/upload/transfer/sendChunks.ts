/** Reads a file in chunks and passes each to `write`, a few at a time and ordered by offset. */
import { limits } from '@purlin/contract/rules/limits'
import type { FileChunk } from './chunk.ts'
import type { Tracker } from '../tracker.ts'

const { chunk: chunkSize } = limits.bulkWrite
const concurrency = 6

export interface SendOptions {
  /** bytes of the file */
  size: number
  /** Where to begin; every completed chunk is recorded in it. */
  tracker: Tracker
  read: (offset: number, length: number) => Promise<FileChunk>
  /** Not called for chunks without bytes. Rejects when the signal aborts. */
  write: (offset: number, bytes: Uint8Array, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

/** Resolves when all chunks have arrived; rejects with the first failure after all other calls have ended. */
export async function sendChunks({ size, tracker, read, write, signal }: SendOptions): Promise<void> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  let next = tracker.checkpoint.bytes
  const sendNext = async (): Promise<void> => {
    while (next < size) {
      either.throwIfAborted()
      const offset = next
      next += chunkSize
      const chunk = await read(offset, Math.min(chunkSize, size - offset))
      if (chunk.bytes !== null) await write(offset, chunk.bytes, either)
      tracker.complete(offset, chunk)
    }
  }
  const senders = Array.from({ length: concurrency }, () =>
    sendNext().catch((error: unknown) => failed.abort(error)),
  )
  await Promise.all(senders)
  failed.signal.throwIfAborted()
}
