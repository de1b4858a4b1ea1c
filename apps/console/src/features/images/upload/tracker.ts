/** Tracks which chunks of a file have arrived, in any order. */

/** All bytes before `bytes` have arrived; `sum` is the checksum over their chunks, in order. */
export interface Checkpoint {
  bytes: number
  sum: number
}
export const start: Checkpoint = { bytes: 0, sum: 0 }

/** The part of a chunk that the checkpoint needs. The checksum is an unsigned 32-bit number. */
export interface Checksummed {
  length: number
  sum: number
}

/** The checkpoint after the next chunk. */
export const advance = ({ bytes, sum }: Checkpoint, chunk: Checksummed): Checkpoint => ({
  bytes: bytes + chunk.length,
  sum: Math.imul(sum ^ chunk.sum, 0x01000193) >>> 0,
})

export interface Tracker {
  readonly checkpoint: Checkpoint
  /** All bytes that have arrived, including those after a gap. */
  readonly done: number
  complete(offset: number, chunk: Checksummed): void
}

export function createTracker(from: Checkpoint): Tracker {
  let checkpoint = from
  let bytesAfterGap = 0
  const afterGap = new Map<number, Checksummed>()
  return {
    get checkpoint() {
      return checkpoint
    },
    get done() {
      return checkpoint.bytes + bytesAfterGap
    },
    complete(offset, { length, sum }) {
      afterGap.set(offset, { length, sum })
      bytesAfterGap += length
      for (let next = afterGap.get(checkpoint.bytes); next; next = afterGap.get(checkpoint.bytes)) {
        afterGap.delete(checkpoint.bytes)
        bytesAfterGap -= next.length
        checkpoint = advance(checkpoint, next)
      }
    },
  }
}
