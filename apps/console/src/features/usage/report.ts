/** A report of use: its queries, and its sums as rows and charts. */
import { projectUsageReport, systemUsageReport, usageReport } from '@purlin/contract/operations/metrics/usage'
import { urlOf } from '@purlin/contract/client'
import type { Result } from '@purlin/contract/op'
import { tagKeyProblem } from '@purlin/contract/rules/tags'
import { dayMs, type UsageGrouping } from '@purlin/contract/rules/usage/reports'
import { keyOf, prefetch, query, type Read } from '#/api/query.ts'
import { fixedRange } from '#/features/metrics/range/range.ts'
import { serverNow } from '#/lib/clock.ts'
import { formatDate } from '#/lib/format.ts'
import type { ChartData, TimeRange } from '#/ui/chart/data.ts'
import {
  periods,
  usualDivision,
  usualPeriod,
  type Division,
  type ReportSearch,
  type Subject,
} from './search.ts'

export type Sum = Result<typeof usageReport>['items'][number]

export const divisionIn = ({ by }: ReportSearch, subject: Subject): Division => by ?? usualDivision(subject)

/** The time of a report: until the end of today, so that it is the same all day. */
export function rangeIn(search: ReportSearch, now: number): TimeRange {
  const fixed = fixedRange(search)
  if (fixed) return fixed
  const period = periods[search.period ?? usualPeriod]
  const tomorrow = (Math.floor(now / dayMs) + 1) * dayMs
  if ('days' in period) return { start: tomorrow - period.days * dayMs, end: tomorrow }
  const today = new Date(now)
  const monthAt = (ago: number) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - ago)
  return { start: monthAt(period.months), end: period.months === 0 ? tomorrow : monthAt(period.months - 1) }
}

/** The parts of a report, as its operations take them. */
export interface Parts {
  by?: UsageGrouping[]
  tag?: string
}

/** The parts of a table divided like this; undefined without the key of a tag. */
export function partsOf(division: Division, tag: string | undefined): Parts | undefined {
  if (division !== 'tag') return { by: [division] }
  return tag === undefined || tagKeyProblem(tag) !== undefined ? undefined : { tag }
}

/** Rows of the table at most; the export has all. */
export const mostRows = 1000

const askedOf = ({ start, end }: TimeRange, parts: Parts) => ({
  startTime: new Date(start),
  endTime: new Date(end),
  ...parts,
})

/** A report is read once: to compute it again with each change would cost the server too much. */
const readOnce = <T>(read: Read<T>) => ({
  ...read,
  // Streams watch only queries with a key of two parts.
  queryKey: keyOf<T>(...read.queryKey, 'once'),
  throwOnError: false,
})

const ofSilo = ({ silo }: { silo?: string }) => (silo === undefined ? {} : { silo })

/** The sums of a report. */
export function reportQuery(subject: Subject, range: TimeRange, parts: Parts) {
  const asked = { ...askedOf(range, parts), limit: mostRows }
  switch (subject.level) {
    case 'silo':
      return readOnce(query(usageReport, { query: asked }))
    case 'project':
      return readOnce(query(projectUsageReport, { params: { project: subject.project }, query: asked }))
    case 'fleet':
      return readOnce(query(systemUsageReport, { query: { ...asked, ...ofSilo(subject) } }))
  }
}

/** Loads what a report with this search shows first. */
export function prefetchReport(subject: Subject, search: ReportSearch): Promise<unknown> {
  const range = rangeIn(search, serverNow())
  const parts = partsOf(divisionIn(search, subject), search.tag)
  return prefetch(
    reportQuery(subject, range, {}),
    reportQuery(subject, range, { by: ['day'] }),
    ...(parts ? [reportQuery(subject, range, parts)] : []),
  )
}

/** The address of the same sums, for each day. */
export function reportAddress(subject: Subject, range: TimeRange, { by = [], tag }: Parts): string {
  const days: UsageGrouping[] = [...by.filter((one) => one !== 'day'), 'day']
  const asked = askedOf(range, { by: days, ...(tag === undefined ? {} : { tag }) })
  switch (subject.level) {
    case 'silo':
      return urlOf(usageReport, { query: asked })
    case 'project':
      return urlOf(projectUsageReport, { params: { project: subject.project }, query: asked })
    case 'fleet':
      return urlOf(systemUsageReport, { query: { ...asked, ...ofSilo(subject) } })
  }
}

const secondsPerHour = 3600

/** The amounts of a report, by the fields of its sums. */
export const amounts = [
  { field: 'cpuSeconds', title: 'vCPU', unit: 'vCPU hours', header: 'vCPU hours' },
  { field: 'memoryGibSeconds', title: 'Memory', unit: 'GiB hours', header: 'Memory, GiB hours' },
  { field: 'storageGibSeconds', title: 'Storage', unit: 'GiB hours', header: 'Storage, GiB hours' },
  { field: 'addressSeconds', title: 'Addresses', unit: 'address hours', header: 'Address hours' },
] as const
export type AmountField = (typeof amounts)[number]['field']

export const hoursOf = (sum: Partial<Pick<Sum, AmountField>> | undefined, field: AmountField): number =>
  (sum?.[field] ?? 0) / secondsPerHour

/** The name of a row. A silo or project without one was deleted too long ago. */
export function labelOf(sum: Sum, division: Division): string {
  switch (division) {
    case 'silo':
      return sum.siloName ?? sum.siloId ?? ''
    case 'project':
      return sum.projectName ?? sum.projectId ?? ''
    case 'tag':
      return sum.tagValue ?? 'Without this tag'
    case 'day':
      return sum.day ? formatDate(sum.day, { timeZone: 'UTC' }) : ''
  }
}

/** Rows as a table shows them: days newest first, others by their cost or, without prices, by their vCPUs. */
export function rowsOf(sums: readonly Sum[], division: Division): Sum[] {
  const weight = (sum: Sum) => [Number(sum.cost ?? 0), sum.cpuSeconds, sum.storageGibSeconds]
  if (division === 'day') return [...sums].toReversed()
  return sums.toSorted((a, b) => {
    const [ofA, ofB] = [weight(a), weight(b)]
    const at = ofA.findIndex((value, i) => value !== ofB[i])
    return (ofB[at] ?? 0) - (ofA[at] ?? 0)
  })
}

/** The values of each day of a range, up to now, as a chart draws levels: each holds until the next. */
export function daysOf(
  sums: readonly Sum[],
  { start, end }: TimeRange,
  { label, now, valueOf }: { label: string; now: number; valueOf: (sum: Sum | undefined) => number },
): ChartData {
  const byDay = new Map(sums.map((sum) => [sum.day?.getTime(), sum]))
  const last = Math.min(end, now)
  const times: number[] = []
  const values: number[] = []
  for (let day = Math.floor(start / dayMs) * dayMs; day < last; day += dayMs) {
    times.push(Math.max(day, start))
    values.push(valueOf(byDay.get(day)))
  }
  if (sums.length === 0 || times.length === 0) return { times: [], series: [] }
  return { times: [...times, last], series: [{ label, values: [...values, values.at(-1) ?? 0] }] }
}
