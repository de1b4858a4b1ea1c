/** Collects the points of one series, chunk by chunk. */
import { histogramsOf, type Block, type Part } from './blocks.ts'
import type { Histogram, Points, SeriesRequest } from './model.ts'

/** A growing array of numbers. */
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

/** The points of one chunk, oldest first. */
class Segment {
  times = new Column()
  starts = new Column()
  numbers = new Column()
  others: Histogram[] = []
}

/** The points to keep. */
export interface Window {
  from: number
  until: number
  limit: SeriesRequest['limit']
}

/** Chunks must be added oldest first, or newest first if the request is for the last points. */
export class Sink {
  #window: Window
  #segments = [new Segment()]
  /** Points up to `#last` and from `#next` on are already present. */
  #last = -Infinity
  #next = Infinity
  size = 0

  constructor(window: Window) {
    this.#window = window
  }

  /** True if no further chunk can have points in the window. */
  get isFull(): boolean {
    return this.#window.limit !== null && this.size >= this.#window.limit.count
  }

  get #backwards(): boolean {
    return this.#window.limit?.side === 'last'
  }

  clear(): void {
    this.#segments = [new Segment()]
    this.#last = -Infinity
    this.#next = Infinity
    this.size = 0
  }

  /** Must be called before the blocks of each chunk. */
  startChunk(): void {
    if (!this.#backwards) return
    this.#next = this.#segments.at(-1)?.times.all()[0] ?? this.#next
    this.#last = -Infinity
    this.#segments.push(new Segment())
  }

  /**
   * Adds the points of a block that are in the window. Skips points that are not later than the ones before: these
   * are duplicates.
   */
  add({ times, starts }: Block, part: Part): void {
    const segment = this.#segments.at(-1)
    if (!segment) return
    const { from, until } = this.#window
    const [first, end] = [times[0] ?? 0, times.at(-1) ?? 0]
    let low = 0
    if (first < from || first <= this.#last)
      while (low < times.length && ((times[low] ?? 0) < from || (times[low] ?? 0) <= this.#last)) low++
    let high = times.length
    if (end > until || end >= this.#next)
      while (high > low && ((times[high - 1] ?? 0) > until || (times[high - 1] ?? 0) >= this.#next)) high--
    if (high === low) return
    segment.times.add(times, low, high)
    if (starts) segment.starts.add(starts, low, high)
    if (part.edges) segment.others.push(...histogramsOf(part, low, high))
    else segment.numbers.add(part.columns[0] ?? [], low, high)
    this.size += high - low
    this.#last = times[high - 1] ?? this.#last
  }

  /** The collected points; null if there are none. */
  points(): Points | null {
    const { limit } = this.#window
    const segments = this.#backwards ? this.#segments.toReversed() : this.#segments
    const count = limit ? Math.min(limit.count, this.size) : this.size
    if (count === 0) return null
    const low = this.#backwards ? this.size - count : 0
    const cut = (key: 'times' | 'starts' | 'numbers') =>
      join(segments.map((segment) => segment[key].all())).slice(low, low + count)
    const others = segments.flatMap((segment) => segment.others).slice(low, low + count)
    const timestamps = cut('times')
    return {
      timestamps,
      startTimes: segments.some((segment) => segment.starts.length > 0)
        ? apart(timestamps, cut('starts'))
        : null,
      values: others.length > 0 ? { kind: 'others', of: others } : { kind: 'numbers', of: cut('numbers') },
    }
  }
}

/**
 * The starts of counters, none before the point of other counters that it follows: the clocks of two hosts differ, and so may
 * one before and after it was set.
 */
function apart(times: Float64Array, starts: Float64Array): Float64Array {
  const result = starts.slice()
  for (let i = 1; i < starts.length; i++) {
    const [start = 0, before = 0] = [starts[i], times[i - 1]]
    result[i] = start === starts[i - 1] ? (result[i - 1] ?? start) : Math.max(start, before)
  }
  return result
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
