/** The query of a chart, sent in one or several calls. */
import { messages } from '@purlin/contract/rules/messages'
import { timeseriesQuery } from '@purlin/contract/operations/metrics/timeseries'
import { query as apiQuery } from '#/api/query.ts'
import { createSemaphore } from '@purlin/contract/semaphore'
import { hasMessage } from '#/api/errors.ts'
import { ApiError } from '@purlin/contract/client'
import { send } from '#/api/send.ts'
import type { TimeRange } from '#/ui/chart/data.ts'
import { type MetricQuery, oneLine, rangeStagesOf, stagesOf, windowOf } from './oxql.ts'
import type { Answer } from './points.ts'
import {
  halvesOf,
  joinSlices,
  maxSlices,
  type QueryOutline,
  type SliceAnswer,
  type Slice,
  slicesOf,
  readRangeOf,
} from './slices.ts'

/** The range holds more samples than a chart reads. */
export class TooManySamples extends Error {}

/** The content of a chart. */
export interface ChartRequest {
  project: string
  query: MetricQuery
  range: TimeRange
  /** the number of series */
  series: number
  /** when it was requested, in ms: later results may hold more samples */
  asOf: number
}

/** The query of a chart. Throws ApiError and TooManySamples. */
export function chartQuery({ project, query, range, series, asOf }: ChartRequest) {
  const args = (stages: readonly string[]) => ({ query: { project }, body: { query: oneLine(stages) } })
  const whole = apiQuery(timeseriesQuery, args(stagesOf(query, range)))
  const queryKey = [...whole.queryKey, series, asOf]
  // Distributions are shown for short ranges only.
  if (query.isDistribution) return { ...whole, queryKey }
  const { every } = query
  const outline = { range, window: windowOf(range, every), every, series }
  const run: RunQuery = (part, signal) => send(timeseriesQuery, args(stagesOf(query, range, part)), signal)
  const runRange = (signal: AbortSignal) => send(timeseriesQuery, args(rangeStagesOf(query, range)), signal)
  const queryFn: typeof whole.queryFn = ({ signal }) => queryRange(outline, { asOf, run, runRange, signal })
  return { queryKey, queryFn }
}

// Other servers have means only.
let knowsRanges = true

interface RangeCalls extends SliceCalls {
  /** runs the query for the mean, least and most of each window */
  runRange: (signal: AbortSignal) => Promise<Answer>
}

/** Asks for ranges where one call is enough and the server knows them, otherwise for means. */
export async function queryRange(outline: QueryOutline, { runRange, ...calls }: RangeCalls): Promise<Answer> {
  if (!knowsRanges || slicesOf(outline, calls.asOf).length !== 1) return querySlices(outline, calls)
  try {
    return await runRange(calls.signal)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    const means = await querySlices(outline, calls)
    knowsRanges = [messages.tooManyPoints, messages.tooManyAligned, messages.notAligned].some((one) =>
      hasMessage(error, one),
    )
    return means
  }
}

// Shared by the charts of a page: slices are large, and other requests must not wait for them.
const limit = createSemaphore({ running: 2 })

/** Runs the query for its whole range, or for a part of it. */
export type RunQuery = (part: TimeRange | undefined, signal: AbortSignal) => Promise<Answer>

interface SliceCalls {
  asOf: number
  run: RunQuery
  signal: AbortSignal
}

/**
 * Runs a query in as many slices as it needs. Their number is estimated from the current number of series; slices that
 * are rejected, because there were more series in the past, are halved.
 */
export async function querySlices(outline: QueryOutline, { asOf, run, signal }: SliceCalls): Promise<Answer> {
  const slices = slicesOf(outline, asOf)
  const [only, ...more] = slices
  if (!only) throw new TooManySamples()
  let count = slices.length
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const runSlice = (slice: Slice) =>
    limit(async () => {
      either.throwIfAborted()
      return run(readRangeOf(slice, outline), either)
    })
  const read = async (slice: Slice, answer: Promise<Answer>): Promise<SliceAnswer[]> => {
    try {
      return [{ slice, answer: await answer }]
    } catch (error) {
      if (!hasMessage(error, messages.tooManyPoints)) throw error
      const halves = halvesOf(slice, outline)
      count += 1
      if (!halves || count > maxSlices) throw new TooManySamples()
      return (await Promise.all(halves.map((half) => read(half, runSlice(half))))).flat()
    }
  }
  try {
    const parts =
      more.length === 0 ? [read(only, run(undefined, either))] : slices.map((one) => read(one, runSlice(one)))
    return joinSlices((await Promise.all(parts)).flat())
  } catch (error) {
    // Cancels the calls that are running or waiting.
    failed.abort()
    throw error
  }
}
