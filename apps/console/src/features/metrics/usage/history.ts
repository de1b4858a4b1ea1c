/** The history of what was provisioned, as a chart draws it. */
import { siloMetric, systemMetric } from '@purlin/contract/operations/metrics/metrics'
import { sledMetric } from '@purlin/contract/operations/hardware/hardware'
import type { Result } from '@purlin/contract/op'
import { nameOf, send } from '#/api/send.ts'
import { largestOf, type ChartData, type TimeRange } from '#/ui/chart/data.ts'

/** The owner of the figures: the user's silo or one of its projects, by id; the fleet or one of its silos. */
export type Subject =
  | { level: 'silo'; project?: string }
  | { level: 'fleet'; silo?: string }
  /** A sled, and what it uses. */
  | { level: 'sled'; sled: string }

/** The names of the figures of each resource: what is provisioned, and what a sled uses. */
const provisioned = {
  cpus: 'cpus_provisioned',
  memory: 'ram_provisioned',
  storage: 'virtual_disk_space_provisioned',
} as const
const used = { cpus: 'threads', memory: 'memory', storage: 'storage' } as const

export type Resource = 'cpus' | 'memory' | 'storage'

export interface Sample {
  at: number
  value: number
}
type Answer = Result<typeof siloMetric>

const perPage = 1000
/** Changes that are drawn; a range that has more is cut at its beginning. */
const mostPages = 5

/** The name under which all reads of a page are found. */
export const readsOf = (level: Subject['level']) => nameOf(operations[level])
const operations = { silo: siloMetric, fleet: systemMetric, sled: sledMetric } as const

interface MetricWindow {
  startTime: Date
  endTime: Date
  order: 'descending'
  limit: number
  pageToken?: string
}

interface About {
  subject: Subject
  resource: Resource
  signal: AbortSignal
}

function ask({ subject, resource, signal }: About, window: MetricWindow): Promise<Answer> {
  if (subject.level === 'sled') {
    const of = { sledId: subject.sled, metricName: used[resource] }
    return send(sledMetric, { params: of, query: window }, signal)
  }
  const params = { metricName: provisioned[resource] }
  if (subject.level === 'silo') {
    const { project } = subject
    return send(siloMetric, { params, query: { ...window, ...(project ? { project } : {}) } }, signal)
  }
  const { silo } = subject
  return send(systemMetric, { params, query: { ...window, ...(silo ? { silo } : {}) } }, signal)
}

const samplesOf = ({ items }: Answer): Sample[] =>
  items.flatMap(({ timestamp, datum }) =>
    datum.type === 'i64' || datum.type === 'f64' ? [{ at: timestamp.getTime(), value: datum.datum }] : [],
  )

/** The changes within a range, newest first, and the last one before it. */
export const historyQuery = (subject: Subject, resource: Resource, { start, end }: TimeRange) => ({
  queryKey: [readsOf(subject.level), resource, subject, start, end],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Sample[]> => {
    const about = { subject, resource, signal }
    const window = { order: 'descending' as const, endTime: new Date(end), startTime: new Date(start) }
    const samples: Sample[] = []
    let pageToken: string | undefined
    for (let pages = 0; pages < mostPages; pages++) {
      const page = await ask(about, { ...window, limit: perPage, ...(pageToken ? { pageToken } : {}) })
      samples.push(...samplesOf(page))
      if (page.nextPage == null) break
      pageToken = page.nextPage
    }
    const before = {
      order: 'descending' as const,
      startTime: new Date(0),
      endTime: new Date(start),
      limit: 1,
    }
    return [...samples, ...samplesOf(await ask(about, before))]
  },
})

/** The provisioned amounts over a range: each value from its change on, up to the end of the range or now. */
export function stepsOf(
  samples: readonly Sample[],
  { start, end }: TimeRange,
  { label, now }: { label: string; now: number },
): ChartData {
  const ascending = samples.toReversed()
  const first = ascending[0]
  if (!first) return { times: [], series: [] }
  const times = ascending.map(({ at }) => Math.max(start, at))
  const values = ascending.map(({ value }) => value)
  const last = Math.min(end, now)
  if ((times.at(-1) ?? last) < last) {
    times.push(last)
    values.push(values.at(-1) ?? 0)
  }
  return { times, series: [{ label, values }] }
}

/** A limit that is farther above the largest value than this would press the values to the ground. */
const near = 4

/** The same with the line of a limit, if there is one that is near. */
export const withLimit = (
  data: ChartData,
  range: TimeRange,
  limit: { label: string; value: number | undefined },
): ChartData =>
  limit.value === undefined || limit.value > near * largestOf(data)
    ? data
    : withLevel(data, range, { label: limit.label, value: limit.value })

/** The same with a level over the whole range, also where nothing was measured. */
export const withLevel = (
  { times, series }: ChartData,
  { start }: TimeRange,
  level: { label: string; value: number },
): ChartData => ({
  times: [start, ...times],
  series: [
    ...series.map(({ label, values, range }) => ({
      label,
      values: [null, ...values],
      ...(range && { range: { least: [null, ...range.least], most: [null, ...range.most] } }),
    })),
    { label: level.label, values: [level.value, ...times.map(() => level.value)] },
  ],
})
