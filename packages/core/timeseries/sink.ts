/** Gathers the points of one series, chunk by chunk. */
import { histogramsOf, type Block, type Part } from './blocks.ts'
import type { Histogram, Points, SeriesRequest } from './model.ts'

/** Numbers, with room for more. */
class Column {
  #data = new Float64Array(16)
  length = 0

  /** Adds the values from `low` to before `high`. */
  add(values: readonly number[], low: number, high: number): void {
    const needed = this.length + high - low
    if (needed > this.#data.length) {
      const grown = new Float64Array(Math.max(needed, 2 * this.#data.length))
      grown.set(this.#data.subarray(0, this.length))
      this.#data = grown
    }
    for (let i = low; i < high; i++) this.#data[this.length++] = values[i] ?? NaN
  }

  all(): Float64Array {
    return this.#data.subarray(0, this.length)
  }
}

/** Points in their order. */
class Piece {
  times = new Column()
  starts = new Column()
  numbers = new Column()
  others: Histogram[] = []
}

/** The points to keep: within a range, and of these only so many from one side. */
export interface Wanted {
  from: number
  until: number
  limit: SeriesRequest['limit']
}

/** Chunks come oldest first, or newest first if the last points are wanted. */
export class Sink {
  #wanted: Wanted
  #pieces = [new Piece()]
  /** Points up to here are there already, or from `#next` on. */
  #last = -Infinity
  #next = Infinity
  size = 0

  constructor(wanted: Wanted) {
    this.#wanted = wanted
  }

  /** True if no other chunk can add to what is wanted. */
  get isFull(): boolean {
    return this.#wanted.limit !== null && this.size >= this.#wanted.limit.count
  }

  get #backwards(): boolean {
    return this.#wanted.limit?.side === 'last'
  }

  clear(): void {
    this.#pieces = [new Piece()]
    this.#last = -Infinity
    this.#next = Infinity
    this.size = 0
  }

  /** The next chunk begins. */
  turn(): void {
    if (!this.#backwards) return
    this.#next = this.#pieces.at(-1)?.times.all()[0] ?? this.#next
    this.#last = -Infinity
    this.#pieces.push(new Piece())
  }

  /** Adds what is wanted of a block. What is no later than the points before it was added twice. */
  add({ times, starts }: Block, part: Part): void {
    const piece = this.#pieces.at(-1)
    if (!piece) return
    const { from, until } = this.#wanted
    const [first, end] = [times[0] ?? 0, times.at(-1) ?? 0]
    let low = 0
    if (first < from || first <= this.#last)
      while (low < times.length && ((times[low] ?? 0) < from || (times[low] ?? 0) <= this.#last)) low++
    let high = times.length
    if (end > until || end >= this.#next)
      while (high > low && ((times[high - 1] ?? 0) > until || (times[high - 1] ?? 0) >= this.#next)) high--
    if (high === low) return
    piece.times.add(times, low, high)
    if (starts) piece.starts.add(starts, low, high)
    if (part.edges) piece.others.push(...histogramsOf(part, low, high))
    else piece.numbers.add(part.columns[0] ?? [], low, high)
    this.size += high - low
    this.#last = times[high - 1] ?? this.#last
  }

  /** Null if there are none. */
  points(): Points | null {
    const { limit } = this.#wanted
    const pieces = this.#backwards ? this.#pieces.toReversed() : this.#pieces
    const count = limit ? Math.min(limit.count, this.size) : this.size
    if (count === 0) return null
    const low = this.#backwards ? this.size - count : 0
    const cut = (key: 'times' | 'starts' | 'numbers') =>
      join(pieces.map((piece) => piece[key].all())).slice(low, low + count)
    const others = pieces.flatMap((piece) => piece.others).slice(low, low + count)
    return {
      timestamps: cut('times'),
      startTimes: pieces.some((piece) => piece.starts.length > 0) ? cut('starts') : null,
      values: others.length > 0 ? { kind: 'others', of: others } : { kind: 'numbers', of: cut('numbers') },
    }
  }
}

function join(columns: readonly Float64Array[]): Float64Array {
  const [first] = columns
  if (columns.length === 1 && first) return first
  const all = new Float64Array(columns.reduce((sum, column) => sum + column.length, 0))
  let at = 0
  for (const column of columns) {
    all.set(column, at)
    at += column.length
  }
  return all
}
