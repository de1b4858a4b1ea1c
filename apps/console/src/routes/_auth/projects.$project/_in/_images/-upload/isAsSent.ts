import { limits } from '@purlin/contract/rules/limits'
import type { PieceReader } from './reader.ts'
import { after, nothing, type Mark } from './tracker.ts'

const { chunk } = limits.bulkWrite

/** Whether the beginning of a file, up to a mark, is what was sent then. Rejects when the signal says so. */
export async function isAsSent(
  mark: Mark,
  {
    reader,
    signal,
    compared,
  }: { reader: PieceReader; signal: AbortSignal; compared: (bytes: number) => void },
): Promise<boolean> {
  let seen = nothing
  while (seen.bytes < mark.bytes) {
    signal.throwIfAborted()
    seen = after(seen, await reader.read(seen.bytes, Math.min(chunk, mark.bytes - seen.bytes), 'none'))
    compared(seen.bytes)
  }
  return seen.sum === mark.sum
}
