/** Disks as lists show them. */
import type { diskList } from '@purlin/contract/operations/disks'
import type { Result } from '@purlin/contract/op'
import { diskCan, diskTransitional } from '@purlin/contract/rules/disk'
import type { MenuItem } from '../../ui/menuItems.ts'
import type { Column } from '../../ui/table/columns.ts'
import { Size } from '../../ui/Size.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { CellLink } from '../../ui/table/CellLink.tsx'
import { copyWithToast } from '../copy.ts'
import { usePolling } from '../polling.ts'
import { DiskStateBadge } from '../StateBadge.tsx'
import { DiskSource, DiskType } from './DiskSource.tsx'

export type Disk = Result<typeof diskList>['items'][number]

/** The columns that every list of disks has. */
export const diskColumns = ({
  project,
  header,
  hrefOf,
}: {
  project: string
  /** Of the names. */
  header: string
  hrefOf: (disk: string) => string
}) =>
  ({
    name: { id: 'name', header, cell: ({ name }) => <CellLink href={hrefOf(name)}>{name}</CellLink> },
    type: {
      id: 'type',
      header: 'type',
      tip: 'What the disk began as: blank, or a copy of an image or a snapshot.',
      cell: (disk) => <DiskType disk={disk} />,
    },
    size: { id: 'size', header: 'size', cell: ({ size }) => <Size bytes={size} /> },
    source: {
      id: 'source',
      header: 'source',
      cell: (disk) => <DiskSource project={project} disk={disk} linked />,
    },
    state: { id: 'state', header: 'state', cell: ({ state }) => <DiskStateBadge state={state.state} /> },
    created: { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
  }) satisfies Record<string, Column<Disk>>

/** The `refetchInterval` of a list of disks. */
export const useDiskPolling = () =>
  usePolling<Disk>(({ state }) => (diskTransitional.includes(state.state) ? state.state : undefined))

/** Why no snapshot of a disk can be taken now, or undefined. */
export const snapshotRefusal = ({ state }: Pick<Disk, 'state'>): string | undefined =>
  diskCan('snapshot', state.state) ? undefined : 'Only disks in state attached or detached can be snapshotted'

/** The menu entries that a disk has wherever it is listed. `take` opens the form of its snapshot. */
export const diskMenu = (
  disk: Disk,
  { refused, take }: { refused: string | undefined; take: (disk: Disk) => void },
): MenuItem[] => [
  { label: 'Copy ID', onAction: () => void copyWithToast(disk.id, 'Disk ID') },
  { label: 'Snapshot', disabledReason: refused ?? snapshotRefusal(disk), onAction: () => take(disk) },
]
