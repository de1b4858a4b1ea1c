/**
 * The server limits the points that a query reads. A chart that needs more sends the query in slices of time and joins
 * the answers, which gives the answer of the whole query.
 */
import type { TimeRange } from '#/ui/chart/data.ts'
import { extentOf } from './oxql.ts'
import { type Answer, type QueryWindow, valuesOf, type Timeseries } from './points.ts'

/** Windows of a query, in ms since 1970: those that end later than `after`, and no later than `until`. */
export interface Slice {
  after: number
  until: number
}
/** The answer for a slice. Its windows outside of the slice are ignored. */
export interface SliceAnswer {
  slice: Slice
  answer: Answer
}

/** The size of a query, known before it is sent. */
export interface QueryOutline extends QueryWindow {
  /** seconds between two samples */
  every: number
  /** the number of series it reads */
  series: number
}

const second = 1000
const hour = 3600 * second
/** Samples in a slice: well below the server's limit of a million. */
const samplesPerSlice = 800_000
/** More slices would take too long. */
export const maxSlices = 24
/** Samples are kept for 30 days; deleting them may take another day. */
const retentionMs = 31 * 24 * hour

// The value of a counter is the difference to the previous sample, which may lie before the slice. So a slice reads a
// margin around its windows. A difference between samples that are further apart is lost.
const marginOf = (window: number) => Math.min(window * second, hour)

/** The range that is read for a slice. */
export const readRangeOf = ({ after, until }: Slice, { range, window }: QueryWindow): TimeRange => ({
  start: after - marginOf(window),
  end: Math.min(until + marginOf(window), extentOf(range, window).end),
})

/** The slices of a query, oldest first, often only one; none if there would be too many. `now` in ms. */
export function slicesOf({ range, window, every, series }: QueryOutline, now: number): Slice[] {
  const width = window * second
  const { start, end } = extentOf(range, window)
  // There are no samples before the retention period, and none in the future.
  const newest = end - Math.max(0, Math.floor((end - now) / width)) * width
  const oldest = Math.min(Math.max(start, now - retentionMs), newest)
  const count = Math.floor((newest - oldest) / width) + 1
  const first = newest - count * width
  const longest = (samplesPerSlice * every * second) / series
  if (newest - oldest <= longest) return [{ after: first, until: end }]
  const largest = Math.floor((longest - 2 * marginOf(window)) / width)
  const slices = largest < 1 ? Infinity : Math.ceil(count / largest)
  if (slices > maxSlices) return []
  const size = Math.ceil(count / slices) * width
  return Array.from({ length: Math.ceil((count * width) / size) }, (_, i) => {
    const until = newest - i * size
    return { after: Math.max(until - size, first), until: i === 0 ? end : until }
  }).toReversed()
}

/** Both halves of a slice; null if it is a single window. */
export function halvesOf({ after, until }: Slice, { window }: QueryWindow): [Slice, Slice] | null {
  const width = window * second
  const border = until - Math.floor((until - after) / width / 2) * width
  return border === until
    ? null
    : [
        { after, until: border },
        { after: border, until },
      ]
}

const isIn =
  ({ after, until }: Slice) =>
  (time: string) => {
    const at = Date.parse(time)
    return at > after && at <= until
  }

/** Joins the answers of the slices, oldest first, into that of the query. Windows without samples are null. */
export function joinSlices(parts: readonly SliceAnswer[]): Answer {
  const [only, ...more] = parts
  if (only && more.length === 0) return only.answer
  const tables = parts.map(({ slice, answer }) => ({ slice, series: answer.tables[0]?.timeseries ?? [] }))
  const first = tables.find(({ series }) => series.length > 0)
  // All answers have windows up to the end of the query, so the first one has all windows.
  const { after = 0 } = first?.slice ?? {}
  const timestamps = first?.series[0]?.points.timestamps.filter(isIn({ after, until: Infinity })) ?? []
  const indexes = new Map(timestamps.map((time, index) => [time, index]))
  const lines = new Map<string, { fields: Timeseries['fields']; values: (number | null)[] }>()
  const add = (slice: Slice, one: Timeseries) => {
    const key = JSON.stringify(one.fields)
    const line = lines.get(key) ?? { fields: one.fields, values: timestamps.map(() => null) }
    lines.set(key, line)
    const values = valuesOf(one)
    const isOwn = isIn(slice)
    for (const [i, time] of one.points.timestamps.entries()) {
      const index = indexes.get(time)
      if (index !== undefined && isOwn(time)) line.values[index] = values[i] ?? null
    }
  }
  for (const { slice, series } of tables) for (const one of series) add(slice, one)
  const timeseries = Array.from(lines.values(), ({ fields, values }): Timeseries => ({
    fields,
    points: {
      startTimes: null,
      timestamps,
      values: [{ metricType: 'gauge', values: { type: 'double', values } }],
    },
  }))
  return { tables: [{ name: only?.answer.tables[0]?.name ?? '', timeseries }] }
}
