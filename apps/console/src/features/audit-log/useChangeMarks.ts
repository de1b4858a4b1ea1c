/** The changes of something as marks in its charts. */
import { auditLogList, resourceActivity } from '@purlin/contract/operations/audit/audit-log'
import type { OperationName } from '@purlin/contract/operations'
import { snake } from '@purlin/contract/wire'
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import type { TimeRange } from '#/ui/chart/data.ts'
import type { ChartMark, ChartMarks } from '#/ui/chart/marks.ts'
import { actorWords, markWords, type Done } from './entries.tsx'
import { betweenTimes, opening, textOf } from './filters.ts'
import type { AuditFilters } from './search.ts'

/** The last changes: there are few in the time that charts show. */
const most = 100

interface Subject {
  /** `instance:ID`; there are no marks without it. */
  resource: string | undefined
  /** The address of all its entries. */
  all: string
  /** The range that charts show, unless it ends now. */
  range: TimeRange | undefined
}

const within = (range: TimeRange | undefined) =>
  range && { startTime: new Date(range.start), endTime: new Date(range.end + 1) }

/** The changes of a resource. Charts are shown without marks until these are loaded, or if they cannot be. */
export function useChangeMarks({ resource, all, range }: Subject): ChartMarks {
  const done = { resource: resource ?? '', result: 'success', limit: most, ...within(range) } as const
  const { data } = useQuery({
    ...query(resourceActivity, { query: done }),
    enabled: resource !== undefined,
    throwOnError: false,
  })
  return useMemo(() => marksOf(data?.items ?? [], all), [data, all])
}

/** The operations that change how much the fleet has, or how much silos may use. */
const ofCapacity = [
  'siloCreate',
  'siloDelete',
  'siloQuotasUpdate',
  'sledAdd',
  'sledExpunge',
  'sledSetProvisionPolicy',
  'sledMaintenanceStart',
  'sledMaintenanceEnd',
] as const satisfies readonly OperationName[]

interface Pages {
  items: readonly Done[]
}
const allOf = (answers: UseQueryResult<Pages>[]): readonly Done[] =>
  answers.flatMap(({ data }) => data?.items ?? [])

/**
 * The changes of the fleet and of its silos that matter to the use of all. Each operation is asked for separately: an index finds it
 * among the changes of all users.
 */
export function useFleetMarks(range: TimeRange | undefined): ChartMarks {
  const period = { startTime: new Date(0), ...within(range), sortBy: 'time_and_id_descending' as const }
  const entries = useQueries({
    queries: ofCapacity.map((operation) => ({
      ...query(auditLogList, {
        query: { ...period, operation: snake(operation), result: 'success', limit: most },
      }),
      enabled: range !== undefined,
      throwOnError: false,
    })),
    combine: allOf,
  })
  return useMemo(() => marksOf(entries, paths.auditLog, kindAmong(entries)), [entries])
}

/** The kind that several changes have in common: in the time between them is much else. */
const kindAmong =
  (entries: readonly Done[]) =>
  (marks: readonly ChartMark[]): AuditFilters => {
    const ids = new Set(marks.map(({ id }) => id))
    const [kind, ...others] = new Set(
      entries.filter(({ id }) => ids.has(id)).map(({ operationId }) => operationId.split('_')[0]),
    )
    return marks.length > 1 && others.length === 0 ? { kind } : {}
  }

const marksOf = (
  entries: readonly Done[],
  all: string,
  narrowed: (marks: readonly ChartMark[]) => AuditFilters = () => ({}),
): ChartMarks => ({
  items: entries.map((entry) => ({
    id: entry.id,
    at: entry.timeCompleted.getTime(),
    title: markWords(entry),
    by: actorWords(entry),
  })),
  hrefOf: (marks) =>
    `${all}${all.includes('?') ? '&' : '?'}${textOf({ ...placeOf(marks), ...narrowed(marks) })}`,
})

/** One change is opened; of several the log shows nothing else. */
function placeOf(marks: readonly ChartMark[]) {
  const [first, last] = [marks[0], marks.at(-1)]
  if (!first || !last) return {}
  if (first === last) return opening({ id: first.id, timeCompleted: new Date(first.at) })
  return { ...betweenTimes(first.at, last.at), result: 'success' as const }
}
