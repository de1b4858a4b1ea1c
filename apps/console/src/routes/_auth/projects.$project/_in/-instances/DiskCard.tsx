import HardDrive from 'lucide-react/icons/hard-drive'
import type { ReactNode } from 'react'
import type { InstanceDisk } from '../../../../../parts/instance/bootDisk.ts'
import { DiskStateBadge } from '../../../../../parts/StateBadge.tsx'
import { paths } from '../../../../../paths.ts'
import { Card } from '../../../../../ui/Card.tsx'
import { DateTime } from '../../../../../ui/DateTime.tsx'
import { EmptyState } from '../../../../../ui/EmptyState.tsx'
import type { MenuItem } from '../../../../../ui/menuItems.ts'
import { RowMenu } from '../../../../../ui/RowMenu.tsx'
import { Size } from '../../../../../ui/Size.tsx'
import { CellLink } from '../../../../../ui/table/CellLink.tsx'
import type { Column } from '../../../../../ui/table/columns.ts'
import { Table } from '../../../../../ui/table/Table.tsx'

const columnsOf = (project: string): readonly Column<InstanceDisk>[] => [
  {
    id: 'name',
    header: 'Disk',
    cell: ({ name }) => <CellLink href={paths.disk({ project, disk: name })}>{name}</CellLink>,
  },
  { id: 'size', header: 'size', cell: ({ size }) => <Size bytes={size} /> },
  { id: 'state', header: 'state', cell: ({ state }) => <DiskStateBadge state={state.state} /> },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

export interface DiskCardProps {
  project: string
  title: string
  disks: readonly InstanceDisk[]
  actions: (disk: InstanceDisk) => MenuItem[]
  buttons?: ReactNode
  /** Stands in place of the table when there is no disk. */
  empty: { title: string; body: ReactNode }
}

/** A card with some of an instance's disks. */
export function DiskCard({ project, title, disks, actions, buttons, empty }: DiskCardProps) {
  return (
    <Card title={title} actions={buttons} flush>
      {disks.length === 0 ? (
        <EmptyState icon={<HardDrive />} {...empty} className="m-4 min-h-36" />
      ) : (
        <Table
          label={title}
          columns={columnsOf(project)}
          rows={disks}
          rowKey={({ id }) => id}
          actions={(disk) => <RowMenu items={actions(disk)} />}
          className="rounded-none border-0"
        />
      )}
    </Card>
  )
}
