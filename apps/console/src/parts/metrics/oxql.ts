/** Queries over timeseries, in the query language of the API. */
import type { TimeRange } from '../../ui/chart/data.ts'

/** Which values a chart shows. */
export interface MetricQuery {
  /** `target:metric` */
  metric: string
  /** fields and the values they must have; those without a value do not count */
  filters: Record<string, string | undefined>
  /** the field by which series are summed up */
  groupBy?: string | undefined
  /** seconds between two samples */
  every: number
  /** the values are distributions, which come as they were measured: they cannot be aligned */
  isDistribution?: boolean | undefined
}

const second = 1000

/**
 * Seconds that one point of a chart stands for: about a sixtieth of the range. All windows hold as many
 * samples, because the mean over a window with one more or less of them would jump.
 */
export const windowOf = ({ start, end }: TimeRange, every: number): number =>
  Math.max(1, Math.round((end - start) / second / 60 / every)) * every

// The language knows UTC alone and no sign for it.
const moment = (time: number) => `@${new Date(time).toISOString().slice(0, -1)}`
const between = ({ start, end }: TimeRange) => [`timestamp >= ${moment(start)}`, `timestamp < ${moment(end)}`]

const wholeSecond = (time: number) => Math.floor(time / second) * second
/**
 * Where a query begins and ends, to the second. It begins two windows early: the first point of a counter is all
 * it has counted before, and is dropped.
 */
export const extentOf = (range: TimeRange, window: number): TimeRange => ({
  start: wholeSecond(range.start - 2 * window * second),
  end: wholeSecond(range.end),
})

/**
 * The stages of a query. With a `part` it reads samples of that stretch alone. Its windows remain those of the
 * whole, because they are laid from the latest moment in any filter.
 */
export function stagesOf(
  { metric, filters, groupBy, every, isDistribution }: MetricQuery,
  range: TimeRange,
  part?: TimeRange,
): string[] {
  const window = windowOf(range, every)
  const conditions = [
    ...between(extentOf(range, window)),
    ...Object.entries(filters).flatMap(([field, value]) => (value ? [`${field} == "${value}"`] : [])),
  ]
  return [
    `get ${metric}`,
    `filter ${conditions.join(' && ')}`,
    ...(part ? [`filter ${between(part).join(' && ')}`] : []),
    ...(isDistribution ? [] : [`align mean_within(${window}s)`]),
    ...(groupBy && !isDistribution ? [`group_by [${groupBy}], sum`] : []),
  ]
}

/** A query as it is sent. */
export const oneLine = (stages: readonly string[]): string => stages.join(' | ')

/** A query as it is read: a stage per line, further conditions below the first. */
export const perLine = (stages: readonly string[]): string =>
  stages.map((stage) => stage.replaceAll(' && ', '\n    && ')).join('\n  | ')
