import type { instanceSnapshotList } from '@purlin/contract/operations/storage/instance-snapshots'
import { snapshotTransitional } from '@purlin/contract/rules/states'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { MadeBy } from '#/features/snapshots/snapshots.tsx'
import { sections } from '#/lib/addresses.ts'
import { usePolling } from '#/live/polling.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { createdColumn, descriptionColumn } from '#/resource/list/columns.tsx'
import { ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { SnapshotStateBadge } from '#/resource/list/StateBadge.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { MoreCell } from '#/ui/table/MoreCell.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { disksQuery, instanceQuery } from '../queries.ts'
import { wholeActions } from './actions.tsx'
import { wholes } from './kind.ts'
import { TakeDialog } from './lazyDialogs.ts'
import type { Whole } from './snapshots.ts'

const columnsOf = (project: string): readonly Column<Whole>[] => [
  {
    id: 'name',
    header: 'name',
    order: 'name',
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  descriptionColumn,
  {
    id: 'snapshots',
    header: 'snapshots of disks',
    cell: ({ disks }) => (
      <MoreCell
        title="Other disks"
        items={disks.map(({ snapshotName }) => (
          <TextLink key={snapshotName} href={sections.snapshot.view({ project, name: snapshotName })}>
            {snapshotName}
          </TextLink>
        ))}
      />
    ),
  },
  {
    id: 'madeBy',
    header: 'schedule',
    cell: ({ scheduleId }) => (scheduleId ? <MadeBy id={scheduleId} project={project} /> : <Dash />),
  },
  { id: 'state', header: 'state', cell: ({ state }) => <SnapshotStateBadge state={state} /> },
  { id: 'size', header: 'size', cell: ({ size }) => <Size bytes={size} /> },
  createdColumn,
]

const usePollingOfWholes = () =>
  usePolling<Whole>(({ state }) => (snapshotTransitional.includes(state) ? state : undefined))

/** The snapshots of an instance. */
export function WholeTable({ target }: { target: InstanceTarget }) {
  const instance = useLoaded(instanceQuery(target))
  const disks = useLoaded(disksQuery(target)).items
  const list: ListOf<typeof instanceSnapshotList> = {
    kind: wholes,
    isTab: true,
    columns: columnsOf,
    actions: (_, scope) => wholeActions(scope, { instance, disks }),
    usePolling: usePollingOfWholes,
    create: {
      label: 'Snapshot instance',
      paletteLabel: 'Snapshot instance',
      disabledReason: disks.length === 0 ? 'The instance has no disks' : undefined,
      dialog: (close) => <TakeDialog target={target} onDismiss={close} />,
    },
    emptyTitle: 'No snapshots of the instance',
    emptyBody: 'One has all of its disks at the same moment, and the instance can be rolled back to it.',
  }
  return <ResourceList list={list} />
}
