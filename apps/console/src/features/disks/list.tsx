import type { diskList } from '@purlin/contract/operations/storage/disks'
import { createFileRoute } from '@tanstack/react-router'
import { guides, sections } from '#/lib/addresses.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { lazily } from '#/lib/lazily.tsx'
import { diskActions } from './actions.tsx'
import { AttachedTo, diskColumns, useDiskPolling, type Disk } from './disks.tsx'

const SnapshotsDialog = lazily(() => import('./SnapshotsDialog.tsx'), 'SnapshotsDialog')

export const Route = createFileRoute('/_auth/projects/$project/_in/_disks')({
  ...listRoute(kinds.disk),
  loader: (match) => loadList(disks, match),
  component: () => <ResourceList list={disks} />,
})

const disks: ListOf<typeof diskList> = {
  kind: kinds.disk,
  docs: {
    summary:
      'A disk stores data independently of instances. It can be attached to another instance and remains when its instance is deleted.',
    links: [guides.disks],
  },
  actions: (project) =>
    diskActions(project).map((action) =>
      action.id === 'snapshot'
        ? { ...action, formForMany: (chosen) => <SnapshotsDialog kind="disk" chosen={chosen} /> }
        : action,
    ),
  usePolling: useDiskPolling,
  columns: (project) => {
    const hrefOf = (disk: string) => sections.disk.view({ project, name: disk })
    const { name, type, size, source, state, created } = diskColumns({ project, header: 'name', hrefOf })
    const instance = {
      id: 'instance',
      header: 'instance',
      cell: ({ state: of }: Disk) => <AttachedTo project={project} state={of} inCell />,
    }
    return [{ ...name, order: 'name' }, instance, type, size, source, state, created]
  },
}
