import { limits } from '@purlin/contract/rules/limits'
import type { ChunkReader } from './reader.ts'
import { advance, start, type Checkpoint } from '../tracker.ts'

const { chunk: chunkSize } = limits.bulkWrite

/** Whether the beginning of a file, up to a checkpoint, is what was sent. Rejects when the signal aborts. */
export async function matchesSent(
  sent: Checkpoint,
  {
    reader,
    signal,
    compared,
  }: { reader: ChunkReader; signal: AbortSignal; compared: (bytes: number) => void },
): Promise<boolean> {
  let read = start
  while (read.bytes < sent.bytes) {
    signal.throwIfAborted()
    read = advance(read, await reader.read(read.bytes, Math.min(chunkSize, sent.bytes - read.bytes), 'none'))
    compared(read.bytes)
  }
  return read.sum === sent.sum
}
