import { snapshotList } from '@purlin/contract/operations/snapshots'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import Camera from 'lucide-react/icons/camera'
import { invalidate, prefetch, query } from '../../../../api.ts'
import { GuardedLink } from '../../../../parts/access/GuardedLink.tsx'
import { useProjectRole } from '../../../../parts/access/useProjectRole.ts'
import { DescriptionCell } from '../../../../parts/DescriptionCell.tsx'
import { useGoTo } from '../../../../parts/goTo.ts'
import { listPage } from '../../../../parts/listPage.ts'
import { pagingSearch, lookUpLimit, usePaging } from '../../../../parts/paging.ts'
import { QueryTable } from '../../../../parts/QueryTable.tsx'
import { useQuickActions } from '../../../../parts/quickActions.ts'
import { DiskOf, useSnapshotPolling, type Snapshot } from '../../../../parts/snapshot/snapshots.tsx'
import { SnapshotStateBadge } from '../../../../parts/StateBadge.tsx'
import { things } from '../../../../parts/things.tsx'
import { useBulkDelete } from '../../../../parts/useBulkDelete.tsx'
import { guides, paths } from '../../../../paths.ts'
import { DateTime } from '../../../../ui/DateTime.tsx'
import { DocsPopover } from '../../../../ui/DocsPopover.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { RowMenu } from '../../../../ui/RowMenu.tsx'
import { Size } from '../../../../ui/Size.tsx'
import { CellLink } from '../../../../ui/table/CellLink.tsx'
import type { Column } from '../../../../ui/table/columns.ts'
import { deleteRefusal, deleteSnapshot, useSnapshotActions } from './_snapshots/-snapshotActions.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_snapshots')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { project }, deps }) =>
    prefetch(listPage(snapshotList, { project }, deps), ...things.disk(project).lists),
  staticData: { crumb: { label: 'Snapshots', to: (params) => paths.snapshots(params['project'] ?? '') } },
  component: SnapshotsPage,
})

const columns = (project: string): readonly Column<Snapshot>[] => [
  {
    id: 'name',
    header: 'name',
    sortable: true,
    cell: ({ name }) => <CellLink href={paths.snapshot({ project, snapshot: name })}>{name}</CellLink>,
  },
  {
    id: 'description',
    header: 'description',
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'disk',
    header: 'disk',
    cell: (snapshot) => <DiskOf project={project} snapshot={snapshot} linked />,
  },
  { id: 'state', header: 'state', cell: ({ state }) => <SnapshotStateBadge state={state} /> },
  { id: 'size', header: 'size', cell: ({ size }) => <Size bytes={size} /> },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

function SnapshotsPage() {
  const { project } = Route.useParams()
  const actionsOf = useSnapshotActions(project)
  const refused = useProjectRole(project).lacks('collaborator')
  const list = listPage(snapshotList, { project }, usePaging().search)
  const bulk = useBulkDelete({
    noun: 'snapshot',
    page: list,
    refusal: (snapshot) => refused ?? deleteRefusal(snapshot),
    note: 'Disks and images that were made from them stay.',
    remove: ({ name }) => deleteSnapshot(project, name),
    reload: () => invalidate(snapshotList),
  })
  const create = paths.snapshotNew(project)
  useQuickActions(refused ? [] : [{ label: 'New snapshot', group: 'Actions', href: create }])
  useGoTo({
    group: 'Go to snapshot',
    page: list,
    others: query(snapshotList, { query: { project, limit: lookUpLimit } }),
    hrefOf: ({ name }) => paths.snapshot({ project, snapshot: name }),
  })
  const newSnapshot = (
    <GuardedLink href={create} refused={refused}>
      New snapshot
    </GuardedLink>
  )
  return (
    <>
      <PageHeader icon={<Camera />} title="Snapshots">
        {bulk.bar}
        <DocsPopover
          topic="snapshots"
          icon={<Camera />}
          summary="A snapshot keeps a disk as it was at one moment, whatever becomes of the disk. Further disks can be made from it, and images."
          links={[guides.disks]}
        />
        {newSnapshot}
      </PageHeader>
      <QueryTable
        label="Snapshots"
        query={list}
        columns={columns(project)}
        actions={(snapshot) => <RowMenu items={actionsOf(snapshot)} />}
        selection={bulk.selection}
        refetchInterval={useSnapshotPolling()}
        empty={
          <EmptyState
            icon={<Camera />}
            title="No snapshots"
            body="Create a snapshot to see it here"
            action={newSnapshot}
          />
        }
      />
      <Outlet />
    </>
  )
}
