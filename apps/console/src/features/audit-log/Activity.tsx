import { resourceActivity } from '@purlin/contract/operations/audit/audit-log'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { query } from '#/api/query.ts'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { CutText } from '#/ui/table/CutText.tsx'
import { Table } from '#/ui/table/Table.tsx'
import { actorWords, ObjectCell, ResultBadge, whatWords, type Done } from './entries.tsx'

const few = 10
const fewInPanel = 5

/** The recent actions on a resource, such as `disk:ID`. */
export const activityQuery = (resource: string, limit = few) => ({
  ...query(resourceActivity, { query: { resource, limit } }),
  throwOnError: false,
})

/** `href` is the address of an entry, if there is one; `hasObjects` for entries about several kinds. */
export const columnsOfActivity = (
  hasObjects: boolean,
  href?: (done: Done) => string,
): readonly Column<Done>[] => [
  {
    id: 'time',
    header: 'time',
    cell: ({ timeCompleted }) => <DateTime date={timeCompleted} seconds />,
    width: '13rem',
  },
  {
    id: 'operation',
    header: 'operation',
    cell: (done) => {
      const words = whatWords(done)
      return href ? <CellLink href={href(done)}>{words}</CellLink> : <CutText text={words} least={6} />
    },
  },
  ...(hasObjects
    ? [{ id: 'object', header: 'object', cell: (done: Done) => <ObjectCell done={done} /> }]
    : []),
  { id: 'actor', header: 'actor', cell: (done) => <CutText text={actorWords(done)} least={4} /> },
  { id: 'result', header: 'result', cell: ({ result }) => <ResultBadge result={result} /> },
]

/** The last of what was done to a resource; with the objects, of one that holds others. */
export function Activity({
  resource,
  limit = few,
  hasObjects = false,
}: {
  resource: string
  limit?: number
  hasObjects?: boolean
}) {
  const { data, error } = useQuery(activityQuery(resource, limit))
  if (error && !data) return <Notice>Could not load the activity: {errorMessage(error)}</Notice>
  const rows = data?.items ?? []
  if (data && rows.length === 0)
    return <p className="text-secondary">Nothing was done since the audit log began.</p>
  return (
    <div className="flex flex-col gap-2">
      <Table
        label="Activity"
        columns={columnsOfActivity(hasObjects)}
        rows={rows}
        rowKey={({ id }) => id}
        skeletonRows={data ? 0 : 3}
      />
      {data?.nextPage && <p className="text-hint text-secondary">The last {rows.length} are shown.</p>}
    </div>
  )
}

/** The same as a part of a panel. */
export function ActivityInPanel({ resource }: { resource: string }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">Activity</h3>
      <Activity resource={resource} limit={fewInPanel} />
    </section>
  )
}
