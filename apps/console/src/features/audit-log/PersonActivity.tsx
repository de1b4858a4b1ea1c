import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { paths } from '#/lib/addresses.ts'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { entriesQuery } from './AuditExplorer.tsx'
import { ObjectCell, ResultBadge, whatWords, type Entry } from './entries.tsx'

const columns: readonly Column<Entry>[] = [
  {
    id: 'time',
    header: 'time',
    cell: ({ timeCompleted }) => <DateTime date={timeCompleted} seconds />,
    width: '13rem',
  },
  { id: 'operation', header: 'operation', cell: whatWords },
  { id: 'object', header: 'object', cell: (entry) => <ObjectCell done={entry} /> },
  { id: 'address', header: 'address', mono: true, cell: ({ sourceIp }) => sourceIp },
  { id: 'result', header: 'result', cell: ({ result }) => <ResultBadge result={result} /> },
]
const few = 10

/** The recent actions of a user of the silo, for its administrators. `lacks`: why they are not shown. */
export function PersonActivity({ user, lacks }: { user: string; lacks: string | undefined }) {
  const search = { actor: user, last: 'all' } as const
  const { data, error } = useQuery({
    ...entriesQuery('silo', { ...search, size: 25 }),
    enabled: lacks === undefined,
    throwOnError: false,
  })
  if (lacks) return <Notice>{lacks}</Notice>
  if (error && !data) return <Notice>Could not load the activity: {errorMessage(error)}</Notice>
  const rows = data?.items.slice(0, few) ?? []
  const all = `${paths.siloAuditLog}?${new URLSearchParams(search).toString()}`
  return (
    <div className="flex flex-col items-start gap-2">
      {data && rows.length === 0 ? (
        <p className="text-secondary">Nothing is recorded.</p>
      ) : (
        <>
          <div className="w-full">
            <Table
              label="What they did"
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              skeletonRows={data ? 0 : 3}
            />
          </div>
          <TextLink href={all}>All of it in the audit log</TextLink>
        </>
      )}
      <TextLink href={paths.tasks({ user })}>Their tasks</TextLink>
    </div>
  )
}
