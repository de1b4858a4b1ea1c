/** OxQL, the query language for timeseries. */
import type { TimeRange } from '#/ui/chart/data.ts'

/** The values that a chart shows. */
export interface MetricQuery {
  /** `target:metric` */
  metric: string
  /** required values of fields, or lists of alternatives; fields with undefined are ignored */
  filters: Record<string, string | readonly string[] | undefined>
  /** the field by which series are summed */
  groupBy?: string | undefined
  /** seconds between two samples */
  every: number
  /** the values are distributions, which cannot be aligned and are returned as measured */
  isDistribution?: boolean | undefined
}

const second = 1000

/** About how many windows a range is read in: with means only, or with the least and most of each too. */
export const windowCounts = { means: 60, ranges: 300 } as const

/**
 * The length of a window in seconds, such that a range has about `count`. It is a multiple of the sampling interval: means over
 * windows with different numbers of samples would jitter.
 */
export const windowOf = (
  { start, end }: TimeRange,
  every: number,
  count: number = windowCounts.means,
): number => Math.max(1, Math.round((end - start) / second / count / every)) * every

// OxQL has UTC only, without a suffix.
const moment = (time: number) => `@${new Date(time).toISOString().slice(0, -1)}`
const between = ({ start, end }: TimeRange) => [`timestamp >= ${moment(start)}`, `timestamp < ${moment(end)}`]

const wholeSecond = (time: number) => Math.floor(time / second) * second
/**
 * Start and end of a query in whole seconds. It starts two windows early, because the first point of a counter is
 * everything counted before and is dropped.
 */
export const extentOf = (range: TimeRange, window: number): TimeRange => ({
  start: wholeSecond(range.start - 2 * window * second),
  end: wholeSecond(range.end),
})

/**
 * The stages of a query. With a `part` it reads only the samples in that range. The windows stay the same, because they
 * are aligned to the latest timestamp in any filter.
 */
export function stagesOf(query: MetricQuery, range: TimeRange, part?: TimeRange): string[] {
  const { groupBy, every, isDistribution } = query
  const window = windowOf(range, every)
  return [
    ...sourceOf(query, extentOf(range, window)),
    ...(part ? [`filter ${between(part).join(' && ')}`] : []),
    ...(isDistribution ? [] : [`align mean_within(${window}s)`]),
    ...(groupBy && !isDistribution ? [`group_by [${groupBy}], sum`] : []),
  ]
}

/**
 * The stages of a query for the mean, the least and the most of each window. With grouping these are of the sum of all
 * series, which is one series then.
 */
export function rangeStagesOf(query: MetricQuery, range: TimeRange): string[] {
  const { groupBy, every } = query
  const window = windowOf(range, every, windowCounts.ranges)
  return [
    ...sourceOf(query, extentOf(range, window)),
    ...(groupBy ? [`align mean_within(${every}s)`, 'group_by [], sum'] : []),
    `align range_within(${window}s)`,
  ]
}

function sourceOf({ metric, filters }: MetricQuery, extent: TimeRange): string[] {
  const conditions = [
    ...between(extent),
    ...Object.entries(filters).flatMap(([field, value]) => (value ? [conditionOf(field, value)] : [])),
  ]
  return [`get ${metric}`, `filter ${conditions.join(' && ')}`]
}

function conditionOf(field: string, value: string | readonly string[]): string {
  const [first = '', ...others] = [value].flat().map((one) => `${field} == "${one}"`)
  return others.length === 0 ? first : `(${[first, ...others].join(' || ')})`
}

/** A query as sent. */
export const oneLine = (stages: readonly string[]): string => stages.join(' | ')

/** A query formatted for reading: one stage per line, further conditions below the first. */
export const perLine = (stages: readonly string[]): string =>
  stages.map((stage) => stage.replaceAll(' && ', '\n    && ')).join('\n  | ')
