import { diskList } from '@purlin/contract/operations/disks'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import HardDrive from 'lucide-react/icons/hard-drive'
import { invalidate, prefetch, query } from '../../../../api.ts'
import { GuardedLink } from '../../../../parts/access/GuardedLink.tsx'
import { useProjectRole } from '../../../../parts/access/useProjectRole.ts'
import { AttachedTo } from '../../../../parts/disk/AttachedTo.tsx'
import { diskColumns, useDiskPolling, type Disk } from '../../../../parts/disk/disks.tsx'
import { useSnapshotForm } from '../../../../parts/disk/useSnapshotForm.tsx'
import { useGoTo } from '../../../../parts/goTo.ts'
import { prefetchInstanceNames } from '../../../../parts/instance/InstanceName.tsx'
import { listPage } from '../../../../parts/listPage.ts'
import { pagingSearch, lookUpLimit, usePaging } from '../../../../parts/paging.ts'
import { QueryTable } from '../../../../parts/QueryTable.tsx'
import { useQuickActions } from '../../../../parts/quickActions.ts'
import { things } from '../../../../parts/things.tsx'
import { useBulkDelete } from '../../../../parts/useBulkDelete.tsx'
import { guides, paths } from '../../../../paths.ts'
import { DocsPopover } from '../../../../ui/DocsPopover.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { RowMenu } from '../../../../ui/RowMenu.tsx'
import type { Column } from '../../../../ui/table/columns.ts'
import { deleteDisk, deleteRefusal, useDiskActions } from './_disks/-diskActions.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_disks')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { project }, deps }) =>
    Promise.all([
      prefetch(listPage(diskList, { project }, deps)),
      prefetchInstanceNames(project),
      prefetch(...things.image(project).lists, ...things.snapshot(project).lists),
    ]),
  staticData: { crumb: { label: 'Disks', to: (params) => paths.disks(params['project'] ?? '') } },
  component: DisksPage,
})

const columns = (project: string): readonly Column<Disk>[] => {
  const hrefOf = (disk: string) => paths.disk({ project, disk })
  const { name, type, size, source, state, created } = diskColumns({ project, header: 'name', hrefOf })
  const instance = {
    id: 'instance',
    header: 'instance',
    cell: (disk: Disk) => <AttachedTo project={project} state={disk.state} />,
  }
  return [{ ...name, sortable: true }, instance, type, size, source, state, created]
}

function DisksPage() {
  const { project } = Route.useParams()
  const snapshot = useSnapshotForm(project)
  const actionsOf = useDiskActions(project, snapshot.take)
  const refused = useProjectRole(project).lacks('collaborator')
  const list = listPage(diskList, { project }, usePaging().search)
  const bulk = useBulkDelete({
    noun: 'disk',
    page: list,
    refusal: (disk) => refused ?? deleteRefusal(disk),
    note: 'Their data cannot be recovered.',
    remove: ({ name }) => deleteDisk(project, name),
    reload: () => invalidate(diskList),
  })
  useQuickActions(refused ? [] : [{ label: 'New disk', group: 'Actions', href: paths.diskNew(project) }])
  useGoTo({
    group: 'Go to disk',
    page: list,
    others: query(diskList, { query: { project, limit: lookUpLimit } }),
    hrefOf: ({ name }) => paths.disk({ project, disk: name }),
  })
  const newDisk = (
    <GuardedLink href={paths.diskNew(project)} refused={refused}>
      New Disk
    </GuardedLink>
  )
  return (
    <>
      <PageHeader icon={<HardDrive />} title="Disks">
        {bulk.bar}
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
        selection={bulk.selection}
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
      {snapshot.form}
    </>
  )
}
