import { antiAffinityGroupList } from '@purlin/contract/operations/affinity'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import Split from 'lucide-react/icons/split'
import { prefetch, query } from '../../../../../api.ts'
import { GuardedLink } from '../../../../../parts/access/GuardedLink.tsx'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import type { AntiAffinityGroup } from '../../../../../parts/affinity/groups.ts'
import { policyColumn } from '../../../../../parts/affinity/PolicyBadge.tsx'
import { useGoTo } from '../../../../../parts/goTo.ts'
import { listPage } from '../../../../../parts/listPage.ts'
import { lookUpLimit, pagingSearch, usePaging } from '../../../../../parts/paging.ts'
import { QueryTable } from '../../../../../parts/QueryTable.tsx'
import { useQuickActions } from '../../../../../parts/quickActions.ts'
import { paths } from '../../../../../paths.ts'
import { Badge } from '../../../../../ui/Badge.tsx'
import { DateTime } from '../../../../../ui/DateTime.tsx'
import { EmptyState } from '../../../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../../../ui/PageHeader.tsx'
import { RowMenu } from '../../../../../ui/RowMenu.tsx'
import { CellLink } from '../../../../../ui/table/CellLink.tsx'
import type { Column } from '../../../../../ui/table/columns.ts'
import { AffinityDocs } from './-AffinityDocs.tsx'
import { useGroupActions } from './-groupActions.tsx'
import { MemberCount } from './-MemberCount.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_affinity/_list')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { project }, deps }) => prefetch(listPage(antiAffinityGroupList, { project }, deps)),
  component: AffinityPage,
})

const columns = (project: string): readonly Column<AntiAffinityGroup>[] => [
  {
    id: 'name',
    header: 'name',
    sortable: true,
    cell: ({ name }) => (
      <CellLink href={paths.antiAffinityGroup({ project, antiAffinityGroup: name })}>{name}</CellLink>
    ),
  },
  { id: 'type', header: 'type', cell: () => <Badge>anti-affinity</Badge> },
  {
    id: 'instances',
    header: 'instances',
    cell: ({ id }) => <MemberCount groupId={id} />,
  },
  policyColumn,
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

function AffinityPage() {
  const { project } = Route.useParams()
  const refused = useProjectRole(project).lacks('collaborator')
  const actionsOf = useGroupActions(project)
  const list = listPage(antiAffinityGroupList, { project }, usePaging().search)
  useQuickActions(
    refused ? [] : [{ label: 'New anti-affinity group', group: 'Actions', href: paths.affinityNew(project) }],
  )
  useGoTo({
    group: 'Go to anti-affinity group',
    page: list,
    others: query(antiAffinityGroupList, { query: { project, limit: lookUpLimit } }),
    hrefOf: ({ name }) => paths.antiAffinityGroup({ project, antiAffinityGroup: name }),
  })
  const newGroup = (
    <GuardedLink href={paths.affinityNew(project)} refused={refused}>
      <Plus size={14} aria-hidden />
      New group
    </GuardedLink>
  )
  return (
    <>
      <PageHeader icon={<Split />} title="Affinity Groups">
        <AffinityDocs />
        {newGroup}
      </PageHeader>
      <QueryTable
        label="Affinity groups"
        query={list}
        columns={columns(project)}
        actions={(group) => <RowMenu items={actionsOf(group)} />}
        empty={
          <EmptyState
            icon={<Split />}
            title="No anti-affinity groups"
            body="Create an anti-affinity group to see it here"
            action={newGroup}
          />
        }
      />
      <Outlet />
    </>
  )
}
