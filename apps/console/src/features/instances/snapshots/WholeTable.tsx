import { instanceSnapshotList } from '@purlin/contract/operations/storage/instance-snapshots'
import Camera from 'lucide-react/icons/camera'
import { useState } from 'react'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { sections } from '#/lib/addresses.ts'
import { usePolling } from '#/live/polling.ts'
import { useActions } from '#/resource/actions/actions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { createdColumn, descriptionColumn } from '#/resource/list/columns.tsx'
import { listPage } from '#/resource/list/listPage.ts'
import type { PagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { SnapshotStateBadge } from '#/resource/list/StateBadge.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { snapshotTransitional } from '@purlin/contract/rules/states'
import { Button } from '#/ui/button/Button.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { MoreCell } from '#/ui/table/MoreCell.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { disksQuery, instanceQuery } from '../queries.ts'
import { wholeActions } from './actions.tsx'
import type { Whole } from './snapshots.ts'
import { TakeDialog } from './lazyDialogs.ts'

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
  { id: 'state', header: 'state', cell: ({ state }) => <SnapshotStateBadge state={state} /> },
  { id: 'size', header: 'size', cell: ({ size }) => <Size bytes={size} /> },
  createdColumn,
]

/** The snapshots of an instance. */
export function WholeTable({ target, search }: { target: InstanceTarget; search: PagingSearch }) {
  const { project } = target
  const instance = useLoaded(instanceQuery(target))
  const disks = useLoaded(disksQuery(target)).items
  const [isTaking, setTaking] = useState(false)
  const { lacks } = useRole(project)
  const { menu, dialog } = useActions(wholeActions(target, instance, disks), target)
  const poll = usePolling<Whole>(({ state }) => (snapshotTransitional.includes(state) ? state : undefined))
  const take = (
    <Button
      variant="primary"
      disabledReason={lacks('collaborator') ?? (disks.length === 0 ? 'The instance has no disks' : undefined)}
      onClick={() => setTaking(true)}
    >
      Snapshot instance
    </Button>
  )
  return (
    <>
      <div className="mb-3 flex justify-end">{take}</div>
      <QueryTable<Whole>
        label="Snapshots of the instance"
        query={listPage(instanceSnapshotList, target, search)}
        columns={columnsOf(project)}
        actions={(whole) => <RowMenu items={menu(whole)} />}
        refetchInterval={poll}
        empty={
          <EmptyState
            icon={<Camera />}
            title="No snapshots of the instance"
            body="One has all of its disks at the same moment, and the instance can be rolled back to it."
          />
        }
      />
      {isTaking && <TakeDialog target={target} onDismiss={() => setTaking(false)} />}
      {dialog}
    </>
  )
}
