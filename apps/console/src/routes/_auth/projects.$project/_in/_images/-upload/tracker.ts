/** Keeps count of the pieces that have arrived, in whatever order they do. */

/** Everything before `bytes` is on the disk; `sum` is over its pieces, in order. */
export interface Mark {
  bytes: number
  sum: number
}
export const nothing: Mark = { bytes: 0, sum: 0 }

/** What of a piece counts: its length and its checksum, an unsigned 32-bit number. */
export interface Counted {
  length: number
  sum: number
}

/** The mark behind the next piece. */
export const after = ({ bytes, sum }: Mark, piece: Counted): Mark => ({
  bytes: bytes + piece.length,
  sum: Math.imul(sum ^ piece.sum, 0x01000193) >>> 0,
})

export interface Tracker {
  readonly mark: Mark
  /** Bytes that have arrived, those beyond a gap included. */
  readonly done: number
  complete(offset: number, piece: Counted): void
}

export function createTracker(from: Mark): Tracker {
  let mark = from
  let ahead = 0
  const beyond = new Map<number, Counted>()
  return {
    get mark() {
      return mark
    },
    get done() {
      return mark.bytes + ahead
    },
    complete(offset, { length, sum }) {
      beyond.set(offset, { length, sum })
      ahead += length
      for (let next = beyond.get(mark.bytes); next; next = beyond.get(mark.bytes)) {
        beyond.delete(mark.bytes)
        ahead -= next.length
        mark = after(mark, next)
      }
    },
  }
}
