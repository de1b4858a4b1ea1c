import type { snapshotList } from '@purlin/contract/operations/storage/snapshots'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { Reference } from '#/resource/address/references.tsx'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { SnapshotStateBadge } from '#/resource/list/StateBadge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { snapshotActions } from './actions.tsx'
import { MadeBy, useSnapshotPolling, WholeOf } from './snapshots.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_snapshots')({
  ...listRoute(kinds.snapshot),
  loader: (match) => loadList(snapshots, match),
  component: () => <ResourceList list={snapshots} />,
})

const snapshots: ListOf<typeof snapshotList> = {
  kind: kinds.snapshot,
  docs: {
    summary:
      'A snapshot is a copy of a disk at one point in time. It can be used to create disks and images.',
    links: [guides.snapshots, guides.disks],
  },
  actions: (project) => snapshotActions(project),
  usePolling: useSnapshotPolling,
  columns: (project) => [
    nameColumn(kinds.snapshot, { project }),
    descriptionColumn,
    {
      id: 'disk',
      header: 'disk',
      cell: ({ diskId, instanceSnapshotId }) => (
        <span className="inline-flex items-center gap-2">
          <Reference to="disk" id={diskId} project={project} deleted="Deleted" inCell />
          {instanceSnapshotId !== undefined && (
            <span className="text-secondary">
              part of <WholeOf id={instanceSnapshotId} project={project} inCell />
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'madeBy',
      header: 'schedule',
      cell: ({ scheduleId }) => (scheduleId ? <MadeBy id={scheduleId} project={project} /> : <Dash />),
    },
    {
      id: 'state',
      header: 'state',
      order: 'state',
      cell: ({ state }) => <SnapshotStateBadge state={state} />,
    },
    { id: 'size', header: 'size', order: 'size', cell: ({ size }) => <Size bytes={size} /> },
    createdColumn,
  ],
}
