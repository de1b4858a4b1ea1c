/**
 * A query reads no more than so many samples. What a chart needs beyond that is asked for in slices of time, whose
 * answers together are that of the whole query.
 */
import type { TimeRange } from '../../ui/chart/data.ts'
import { extentOf } from './oxql.ts'
import { type Answer, type Asked, numbersOf, type Timeseries } from './points.ts'

/** Windows of a query, in ms since 1970: those that end later than `after`, and no later than `until`. */
export interface Slice {
  after: number
  until: number
}
/** An answer of which only the windows of a slice count. */
export interface Part {
  slice: Slice
  answer: Answer
}

/** What is known of a query before it is sent. */
export interface Outline extends Asked {
  /** seconds between two samples */
  every: number
  /** how many series it reads */
  series: number
}

const second = 1000
const hour = 3600 * second
/** Samples in a slice: safely below the million that the server reads for a query. */
const samplesPerSlice = 800_000
/** More would keep the server and the reader too long. */
export const mostSlices = 24
/** Samples are kept for thirty days. Those of another day may not be gone yet. */
const kept = 31 * 24 * hour

// A sample tells what was counted since the one before it, which may lie beyond the border. So a slice reads a little
// more than its windows. Where samples at a border lie further apart than that, what was counted between them is lost.
const marginOf = (window: number) => Math.min(window * second, hour)

/** What is read for a slice. */
export const stretchOf = ({ after, until }: Slice, { range, window }: Asked): TimeRange => ({
  start: after - marginOf(window),
  end: Math.min(until + marginOf(window), extentOf(range, window).end),
})

/** The slices of a query from the oldest on, often one; none if there would be too many. `now` in ms. */
export function slicesOf({ range, window, every, series }: Outline, now: number): Slice[] {
  const width = window * second
  const { start, end } = extentOf(range, window)
  // There is nothing to read before the oldest sample that is kept, nor in windows that are still to come.
  const newest = end - Math.max(0, Math.floor((end - now) / width)) * width
  const oldest = Math.min(Math.max(start, now - kept), newest)
  const count = Math.floor((newest - oldest) / width) + 1
  const first = newest - count * width
  const longest = (samplesPerSlice * every * second) / series
  if (newest - oldest <= longest) return [{ after: first, until: end }]
  const largest = Math.floor((longest - 2 * marginOf(window)) / width)
  const slices = largest < 1 ? Infinity : Math.ceil(count / largest)
  if (slices > mostSlices) return []
  const size = Math.ceil(count / slices) * width
  return Array.from({ length: Math.ceil((count * width) / size) }, (_, i) => {
    const until = newest - i * size
    return { after: Math.max(until - size, first), until: i === 0 ? end : until }
  }).toReversed()
}

/** Both halves of a slice; null if it is of one window. */
export function halvesOf({ after, until }: Slice, { window }: Asked): [Slice, Slice] | null {
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

/** The answer of the whole query from those of its slices, the oldest first. Windows that nothing was read for are null. */
export function joined(parts: readonly Part[]): Answer {
  const [only, ...more] = parts
  if (only && more.length === 0) return only.answer
  const tables = parts.map(({ slice, answer }) => ({ slice, series: answer.tables[0]?.timeseries ?? [] }))
  const first = tables.find(({ series }) => series.length > 0)
  // All answers have windows up to the end of the query, so the first has all that there are.
  const { after = 0 } = first?.slice ?? {}
  const timestamps = first?.series[0]?.points.timestamps.filter(isIn({ after, until: Infinity })) ?? []
  const places = new Map(timestamps.map((time, place) => [time, place]))
  const lines = new Map<string, { fields: Timeseries['fields']; values: (number | null)[] }>()
  const add = (slice: Slice, one: Timeseries) => {
    const key = JSON.stringify(one.fields)
    const line = lines.get(key) ?? { fields: one.fields, values: timestamps.map(() => null) }
    lines.set(key, line)
    const values = numbersOf(one)
    const isOwn = isIn(slice)
    for (const [i, time] of one.points.timestamps.entries()) {
      const place = places.get(time)
      if (place !== undefined && isOwn(time)) line.values[place] = values[i] ?? null
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
