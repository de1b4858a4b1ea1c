/** The changes of something as marks in its charts. */
import { resourceActivity } from '@purlin/contract/operations/audit/audit-log'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '#/api/query.ts'
import type { TimeRange } from '#/ui/chart/data.ts'
import type { ChartMark, ChartMarks } from '#/ui/chart/marks.ts'
import { actorWords, markWords } from './entries.tsx'
import { betweenTimes, opening, textOf } from './filters.ts'

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

/** The changes of a resource. Charts are shown without marks until these are loaded, or if they cannot be. */
export function useChangeMarks({ resource, all, range }: Subject): ChartMarks {
  const period = range && { startTime: new Date(range.start), endTime: new Date(range.end + 1) }
  const done = { resource: resource ?? '', result: 'success', limit: most, ...period } as const
  const { data } = useQuery({
    ...query(resourceActivity, { query: done }),
    enabled: resource !== undefined,
    throwOnError: false,
  })
  return useMemo(() => {
    const items = (data?.items ?? []).map((entry) => ({
      id: entry.id,
      at: entry.timeCompleted.getTime(),
      title: markWords(entry),
      by: actorWords(entry),
    }))
    return { items, hrefOf: (marks) => `${all}${all.includes('?') ? '&' : '?'}${textOf(placeOf(marks))}` }
  }, [data, all])
}

/** One change is opened; of several the log shows nothing else. */
function placeOf(marks: readonly ChartMark[]) {
  const [first, last] = [marks[0], marks.at(-1)]
  if (!first || !last) return {}
  if (first === last) return opening({ id: first.id, timeCompleted: new Date(first.at) })
  return { ...betweenTimes(first.at, last.at), result: 'success' as const }
}
