import { attentionList } from '@purlin/contract/operations/hardware/capacity'
import { createFileRoute } from '@tanstack/react-router'
import CircleCheck from 'lucide-react/icons/circle-check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { prefetch } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { listPage } from '#/resource/list/listPage.ts'
import { pagingSearch, type PagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { addressOfSubject, type Issue } from './subject.ts'

const issuesQuery = (search: PagingSearch) => listPage(attentionList, {}, search)

export const Route = createFileRoute('/_auth/system/issues')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(issuesQuery(deps)),
  staticData: { crumb: { label: 'Issues', to: () => paths.issues } },
  component: Issues,
})

const columns: readonly Column<Issue>[] = [
  {
    id: 'severity',
    header: 'severity',
    width: '7rem',
    cell: ({ severity }) => (
      <Badge tone={severity === 'critical' ? 'danger' : 'busy'} dot pulsing={false}>
        {severity}
      </Badge>
    ),
  },
  {
    id: 'issue',
    header: 'issue',
    isRowHeader: true,
    cell: ({ text, advice }) => (
      <span className="block min-w-56 py-2 whitespace-normal">
        <span className="block font-medium">{text} </span>
        <span className="block text-secondary">{advice}</span>
      </span>
    ),
  },
  {
    id: 'subject',
    header: 'where',
    cell: ({ subject }) => {
      const href = addressOfSubject(subject)
      return href === undefined ? subject.name : <TextLink href={href}>{subject.name}</TextLink>
    },
  },
  { id: 'since', header: 'since', width: '11rem', cell: ({ since }) => <DateTime date={since} /> },
]

/** The conditions that need the attention of operators now, critical ones first. */
function Issues() {
  return (
    <>
      <PageHeader icon={<TriangleAlert />} title="Issues" />
      <QueryTable<Issue>
        label="Issues"
        query={issuesQuery(Route.useSearch())}
        columns={columns}
        empty={
          <EmptyState
            icon={<CircleCheck />}
            title="No issues"
            body="Hardware, pools, quotas and certificates are in order. Whatever needs attention appears here."
          />
        }
      />
    </>
  )
}
