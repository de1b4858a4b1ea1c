/**
 * Blocks: points of several series that were measured at the same times. A new block begins where the set of
 * series changes.
 */
import { ByteReader, ByteWriter, readColumn, writeColumn } from './bytes.ts'
import type { Distribution } from '#/ports.ts'
import type { Histogram } from './model.ts'

/** One series of a block. */
export interface Part {
  /** the number of the series in its source */
  series: number
  /** the lower bounds of the bins of distributions; null for numbers */
  edges: readonly number[] | null
  /** One column of numbers; for distributions the counts of each bin, then min, max, sum and squaredMean. */
  columns: (readonly number[])[]
}
export interface Block {
  /** ms since 1970, oldest first */
  times: readonly number[]
  starts: readonly number[] | null
  parts: Part[]
}

/** Values as columns. All distributions of a series have the same bins. */
export function partOf(series: number, values: readonly number[] | readonly Distribution[]): Part {
  const [first] = values
  if (typeof first !== 'object') return { series, edges: null, columns: [values as readonly number[]] }
  const all = values as readonly Distribution[]
  const bins = first.edges.map((_, bin) => all.map((one) => one.counts[bin] ?? 0))
  const rest = (['min', 'max', 'sum', 'squaredMean'] as const).map((key) => all.map((one) => one[key]))
  return { series, edges: first.edges, columns: [...bins, ...rest] }
}

/** The histograms of the points from index `low` to before index `high`. */
export function histogramsOf({ edges, columns }: Part, low: number, high: number): Histogram[] {
  const bins = edges ?? []
  return Array.from({ length: high - low }, (_, i) => {
    const counts = bins.map((_edge, bin) => columns[bin]?.[low + i] ?? 0)
    const [min = 0, max = 0, sum = 0, squaredMean = 0] = [0, 1, 2, 3].map(
      (n) => columns[bins.length + n]?.[low + i],
    )
    const distribution = { edges: bins, counts, min, max, sum, squaredMean }
    const [p50 = null, p90 = null, p99 = null] = [0.5, 0.9, 0.99].map((share) =>
      quantile(distribution, share),
    )
    return { ...distribution, p50, p90, p99 }
  })
}

/** Estimates a quantile, assuming that the values of each bin are distributed evenly. */
function quantile({ edges, counts, min, max }: Distribution, share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let rest = total * share
  for (const [bin, count] of counts.entries()) {
    if (count > 0 && rest <= count) {
      const low = Math.max(edges[bin] ?? min, min)
      const high = Math.min(edges[bin + 1] ?? max, max)
      return low + (Math.max(0, high - low) * rest) / count
    }
    rest -= count
  }
  return null
}

// Reused, because there are many blocks and most of them are small.
const whole = new ByteWriter()
const body = new ByteWriter()

/** Encodes blocks one after another. */
export function writeBlocks(blocks: readonly Block[]): Uint8Array {
  whole.clear()
  for (const { times, starts, parts } of blocks) {
    whole.varint(times.length)
    writeColumn(whole, times)
    whole.byte(starts ? 1 : 0)
    if (starts) writeColumn(whole, starts)
    whole.varint(parts.length)
    for (const { series, edges, columns } of parts) {
      body.clear()
      if (edges?.length) writeColumn(body, edges)
      for (const column of columns) writeColumn(body, column)
      whole.varint(series)
      whole.varint(edges?.length ?? 0)
      whole.varint(body.length)
      whole.append(body)
    }
  }
  return whole.take()
}

/** Decodes blocks, and in them only the selected series. */
export function readBlocks(data: Uint8Array, isIncluded: (series: number) => boolean): Block[] {
  const from = new ByteReader(data)
  const blocks: Block[] = []
  while (!from.atEnd) {
    const count = from.varint()
    const times = readColumn(from, count)
    const starts = from.byte() === 1 ? readColumn(from, count) : null
    const parts: Part[] = []
    for (let left = from.varint(); left > 0; left--) {
      const [series, bins, length] = [from.varint(), from.varint(), from.varint()]
      if (isIncluded(series)) parts.push(readPart(from, { series, bins, count }))
      else from.skip(length)
    }
    blocks.push({ times, starts, parts })
  }
  return blocks
}

function readPart(
  from: ByteReader,
  { series, bins, count }: { series: number; bins: number; count: number },
): Part {
  const edges = bins > 0 ? readColumn(from, bins) : null
  const columns = Array.from({ length: bins > 0 ? bins + 4 : 1 }, () => readColumn(from, count))
  return { series, edges, columns }
}

/** Merges blocks where possible. Drops points that are not later than all points before them. */
export function joinBlocks(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  let run: Block[] = []
  let last = -Infinity
  const flush = () => {
    if (run[0]) joined.push(joinRun(run[0], run))
    run = []
  }
  for (const block of blocks) {
    const fresh = after(block, last)
    if (!fresh) continue
    if (run[0] && !hasSameSeries(run[0], fresh)) flush()
    run.push(fresh)
    last = fresh.times.at(-1) ?? last
  }
  flush()
  return joined
}

/** The points after a time; null if there are none. */
function after(block: Block, time: number): Block | null {
  const { times, starts, parts } = block
  let low = 0
  while (low < times.length && (times[low] ?? 0) <= time) low++
  if (low === 0) return times.length > 0 ? block : null
  if (low === times.length) return null
  const cut = (column: readonly number[]) => column.slice(low)
  return {
    times: cut(times),
    starts: starts && cut(starts),
    parts: parts.map((part) => ({ ...part, columns: part.columns.map(cut) })),
  }
}

const same = (one: readonly number[] | null, other: readonly number[] | null): boolean =>
  one === other || (one?.length === other?.length && Boolean(one?.every((edge, i) => edge === other?.[i])))

/** True if both have the same series in the same order, with the same bins. */
const hasSameSeries = (one: Block, other: Block): boolean =>
  (one.starts === null) === (other.starts === null) &&
  one.parts.length === other.parts.length &&
  one.parts.every(({ series, edges }, i) => {
    const twin = other.parts[i]
    return twin?.series === series && same(edges, twin.edges)
  })

function joinRun(first: Block, blocks: readonly Block[]): Block {
  if (blocks.length === 1) return first
  return {
    times: blocks.flatMap((block) => block.times),
    starts: first.starts && blocks.flatMap((block) => block.starts ?? []),
    parts: first.parts.map((part, p) => ({
      ...part,
      columns: part.columns.map((_, c) => blocks.flatMap((block) => block.parts[p]?.columns[c] ?? [])),
    })),
  }
}
