/** Reading what a chart shows, in one call or in several. */
import { timeseriesQuery } from '@purlin/contract/operations/timeseries'
import { query as readOnce } from '../../api.ts'
import { gate } from '../../lib/gate.ts'
import { ApiError, send } from '../../send.ts'
import type { TimeRange } from '../../ui/chart/data.ts'
import { type MetricQuery, oneLine, stagesOf, windowOf } from './oxql.ts'
import type { Answer } from './points.ts'
import {
  halvesOf,
  joined,
  mostSlices,
  type Outline,
  type Part,
  type Slice,
  slicesOf,
  stretchOf,
} from './slices.ts'

/** Thrown where a stretch holds more samples than are read for a chart. */
export class TooMuch extends Error {}

/** What a chart reads. */
export interface Reading {
  project: string
  query: MetricQuery
  range: TimeRange
  /** how many series that is */
  series: number
  /** when it was asked for, in ms: what is read later may hold more */
  asOf: number
}

/** The read of a chart. Throws ApiError and TooMuch. */
export function readOf({ project, query, range, series, asOf }: Reading) {
  const args = (part?: TimeRange) => ({
    query: { project },
    body: { query: oneLine(stagesOf(query, range, part)) },
  })
  const whole = readOnce(timeseriesQuery, args())
  const queryKey = [...whole.queryKey, series, asOf]
  // Distributions are shown for short ranges only.
  if (query.isDistribution) return { ...whole, queryKey }
  const { every } = query
  const outline = { range, window: windowOf(range, every), every, series }
  const ask: Ask = (part, signal) => send(timeseriesQuery, args(part), signal)
  const queryFn: typeof whole.queryFn = ({ signal }) => readSlices(outline, { asOf, ask, signal })
  return { queryKey, queryFn }
}

// The charts of a page share it: slices are large, and other reads are not to wait for them.
const inTurn = gate(2)

// How the server refuses a query that would read more than its limit.
const isTooMuch = (error: unknown): boolean =>
  error instanceof ApiError && error.message.startsWith('The query would read more than')

/** Asks for the whole query, or for what it reads of a part. */
export type Ask = (part: TimeRange | undefined, signal: AbortSignal) => Promise<Answer>

/**
 * The answer of a query from as many slices as it needs. How much there is to read is known from what is there now; if
 * there was more in the past, the slices that are refused are halved.
 */
export async function readSlices(
  outline: Outline,
  { asOf, ask, signal }: { asOf: number; ask: Ask; signal: AbortSignal },
): Promise<Answer> {
  const slices = slicesOf(outline, asOf)
  const [only, ...more] = slices
  if (!only) throw new TooMuch()
  let count = slices.length
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const askFor = (slice: Slice) =>
    inTurn(async () => {
      either.throwIfAborted()
      return ask(stretchOf(slice, outline), either)
    })
  const read = async (slice: Slice, answer: Promise<Answer>): Promise<Part[]> => {
    try {
      return [{ slice, answer: await answer }]
    } catch (error) {
      if (!isTooMuch(error)) throw error
      const halves = halvesOf(slice, outline)
      count += 1
      if (!halves || count > mostSlices) throw new TooMuch()
      return (await Promise.all(halves.map((half) => read(half, askFor(half))))).flat()
    }
  }
  try {
    const parts =
      more.length === 0 ? [read(only, ask(undefined, either))] : slices.map((one) => read(one, askFor(one)))
    return joined((await Promise.all(parts)).flat())
  } catch (error) {
    // What is under way or waits is of no use any more.
    failed.abort()
    throw error
  }
}
