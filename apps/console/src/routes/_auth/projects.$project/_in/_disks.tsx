import { diskList } from '@purlin/contract/operations/disks'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import HardDrive from 'lucide-react/icons/hard-drive'
import { prefetch, query, queryClient } from '../../../../api.ts'
import { GuardedLink } from '../../../../parts/access/GuardedLink.tsx'
import { useProjectRole } from '../../../../parts/access/useProjectRole.ts'
import { pageQuery, pagingSearch, usePaging } from '../../../../parts/paging.ts'
import { QueryTable } from '../../../../parts/QueryTable.tsx'
import { useQuickActions } from '../../../../parts/quickActions.ts'
import { DiskStateBadge } from '../../../../parts/StateBadge.tsx'
import { guides, paths } from '../../../../paths.ts'
import { DateTime } from '../../../../ui/DateTime.tsx'
import { DocsPopover } from '../../../../ui/DocsPopover.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { RowMenu } from '../../../../ui/RowMenu.tsx'
import { Size } from '../../../../ui/Size.tsx'
import { CellLink } from '../../../../ui/table/CellLink.tsx'
import type { Column } from '../../../../ui/table/columns.ts'
import { AttachedTo, prefetchInstanceNames } from './_disks/-AttachedTo.tsx'
import { useDiskActions, type Disk } from './_disks/-diskActions.tsx'
import { useDiskPolling } from './_disks/-polling.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_disks')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { project }, deps }) =>
    Promise.all([
      prefetch(query(diskList, { query: { project, ...pageQuery(deps) } })),
      prefetchInstanceNames(project),
    ]),
  staticData: { crumb: { label: 'Disks', to: (params) => paths.disks(params['project'] ?? '') } },
  component: DisksPage,
})

const columns = (project: string): readonly Column<Disk>[] => [
  {
    id: 'name',
    header: 'name',
    sortable: true,
    cell: ({ name }) => <CellLink href={paths.disk({ project, disk: name })}>{name}</CellLink>,
  },
  {
    id: 'instance',
    header: 'Attached to',
    cell: ({ state }) => <AttachedTo project={project} state={state} />,
  },
  { id: 'size', header: 'size', cell: ({ size }) => <Size bytes={size} /> },
  { id: 'state', header: 'state', cell: ({ state }) => <DiskStateBadge state={state.state} /> },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

function DisksPage() {
  const { project } = Route.useParams()
  const paging = usePaging()
  const actionsOf = useDiskActions(project)
  const refused = useProjectRole(project).lacks('collaborator')
  const list = query(diskList, { query: { project, ...paging.query } })
  const shown = queryClient.getQueryData(list.queryKey)
  useQuickActions([
    ...(refused ? [] : [{ label: 'New disk', group: 'Actions', href: paths.diskNew(project) }]),
    ...(shown?.items ?? []).map(({ name }) => ({
      label: name,
      group: 'Go to disk',
      href: paths.disk({ project, disk: name }),
    })),
  ])
  const newDisk = (
    <GuardedLink href={paths.diskNew(project)} refused={refused}>
      New Disk
    </GuardedLink>
  )
  return (
    <>
      <PageHeader icon={<HardDrive />} title="Disks">
        <DocsPopover
          topic="disks"
          icon={<HardDrive />}
          summary="A disk keeps data apart from the instance that uses it: it can be attached to another instance, and stays when its instance is deleted."
          links={[guides.disks]}
        />
        {newDisk}
      </PageHeader>
      <QueryTable
        label="Disks"
        query={list}
        columns={columns(project)}
        actions={(disk) => <RowMenu items={actionsOf(disk)} />}
        refetchInterval={useDiskPolling()}
        empty={
          <EmptyState
            icon={<HardDrive />}
            title="No disks"
            body="Create a disk to see it here"
            action={newDisk}
          />
        }
      />
      <Outlet />
    </>
  )
}
