/** Reads a file piece by piece and hands each to `write`, a few at a time and in order of their start. */
import { limits } from '@purlin/contract/rules/limits'
import type { Piece } from './pieces.ts'
import type { Tracker } from './tracker.ts'

const { chunk } = limits.bulkWrite
const atOnce = 6

export interface Pieces {
  /** bytes of the file */
  size: number
  /** Where it stands; told of every piece that is done. */
  tracker: Tracker
  read: (offset: number, length: number) => Promise<Piece>
  /** Told nothing of pieces that were read without their text. Gives up when the signal says so. */
  write: (offset: number, base64: string, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

/** Ends when all have arrived, or rejects with the first failure once nothing is under way any more. */
export async function sendPieces({ size, tracker, read, write, signal }: Pieces): Promise<void> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  let next = tracker.mark.bytes
  const lane = async (): Promise<void> => {
    while (next < size) {
      either.throwIfAborted()
      const offset = next
      next += chunk
      const piece = await read(offset, Math.min(chunk, size - offset))
      if (piece.base64 !== null) await write(offset, piece.base64, either)
      tracker.complete(offset, piece)
    }
  }
  const lanes = Array.from({ length: atOnce }, () => lane().catch((error: unknown) => failed.abort(error)))
  await Promise.all(lanes)
  failed.signal.throwIfAborted()
}
