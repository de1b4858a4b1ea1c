/** The changes of an instance as marks in its charts. */
import { resourceActivity } from '@purlin/contract/operations/audit/audit-log'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '#/api/query.ts'
import { actorWords, operationWords } from '#/features/audit-log/entries.tsx'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { instanceQuery } from '#/features/instances/queries.ts'
import { paths } from '#/lib/addresses.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import type { ChartMarks } from '#/ui/chart/marks.ts'

/** The last changes: an instance has few in the time that its charts show. */
const most = 100

/** Charts are shown without marks until these are loaded, or if they cannot be. */
export function useChangeMarks(target: InstanceTarget): ChartMarks {
  const { id } = useLoaded(instanceQuery(target))
  const done = { resource: `instance:${id}`, result: 'success', limit: most } as const
  const { data } = useQuery({ ...query(resourceActivity, { query: done }), throwOnError: false })
  const all = paths.instanceTab(target, 'activity')
  return useMemo(() => {
    const items = (data?.items ?? []).map((entry) => ({
      id: entry.id,
      at: entry.timeCompleted.getTime(),
      title: operationWords(entry.operationId),
      by: actorWords(entry),
    }))
    return { items, all }
  }, [data, all])
}
