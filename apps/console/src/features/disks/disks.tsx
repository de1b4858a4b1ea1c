/** Disks as lists show them. */
import { diskTransitional } from '@purlin/contract/rules/states'
import { usePolling } from '#/live/polling.ts'
import { createdColumn } from '#/resource/list/columns.tsx'
import type { Row } from '#/resource/kind.ts'
import type { kinds } from '#/resource/kinds.ts'
import { Reference } from '#/resource/address/references.tsx'
import { DiskStateBadge } from '#/resource/list/StateBadge.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'

export type Disk = Row<typeof kinds.disk>

/** The source of a disk. */
export function DiskType({ disk: { imageId, snapshotId } }: { disk: Pick<Disk, 'imageId' | 'snapshotId'> }) {
  if (imageId) return 'Image'
  return snapshotId ? 'Snapshot' : 'Blank'
}

/** The image or snapshot that a disk was made from. It may be gone; the disk is none the worse for it. */
export function DiskSource({
  disk: { imageId, snapshotId },
  ...link
}: {
  disk: Pick<Disk, 'imageId' | 'snapshotId'>
  project: string
  plain?: boolean
  inCell?: boolean
}) {
  return imageId ? (
    <Reference to="image" id={imageId} {...link} />
  ) : (
    <Reference to="snapshot" id={snapshotId} {...link} />
  )
}

/** The instance that a disk is attached to. */
export const AttachedTo = ({
  state,
  ...link
}: {
  project: string
  state: Disk['state']
  inCell?: boolean
}) => <Reference to="instance" id={'instance' in state ? state.instance : undefined} {...link} />

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
      tip: 'What the disk was created from: an image, a snapshot, or nothing (blank).',
      cell: (disk) => <DiskType disk={disk} />,
    },
    size: { id: 'size', header: 'size', order: 'size', cell: ({ size }) => <Size bytes={size} /> },
    source: {
      id: 'source',
      header: 'source',
      cell: (disk) => <DiskSource project={project} disk={disk} inCell />,
    },
    state: {
      id: 'state',
      header: 'state',
      order: 'state',
      cell: ({ state }) => <DiskStateBadge state={state.state} />,
    },
    created: createdColumn,
  }) satisfies Record<string, Column<Disk>>

/** The `refetchInterval` of a list of disks. */
export const useDiskPolling = () =>
  usePolling<Disk>(({ state }) => (diskTransitional.includes(state.state) ? state.state : undefined))
