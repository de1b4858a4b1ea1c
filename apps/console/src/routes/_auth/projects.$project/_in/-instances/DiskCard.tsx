import HardDrive from 'lucide-react/icons/hard-drive'
import type { ReactNode } from 'react'
import { diskColumns } from '../../../../../parts/disk/disks.tsx'
import type { InstanceDisk } from '../../../../../parts/instance/bootDisk.ts'
import type { MenuItem } from '../../../../../ui/menuItems.ts'
import { RowMenu } from '../../../../../ui/RowMenu.tsx'
import type { Column } from '../../../../../ui/table/columns.ts'
import { TableCard } from '../../../../../ui/table/TableCard.tsx'

const columnsOf = (props: Pick<DiskCardProps, 'project' | 'hrefOf'>): readonly Column<InstanceDisk>[] =>
  Object.values(diskColumns({ ...props, header: 'Disk' }))

export interface DiskCardProps {
  project: string
  title: string
  /** Where the name of a disk leads. */
  hrefOf: (disk: string) => string
  disks: readonly InstanceDisk[]
  actions: (disk: InstanceDisk) => MenuItem[]
  buttons?: ReactNode
  /** Stands in place of the table when there is no disk. */
  empty: { title: string; body: ReactNode }
}

/** A card with some of an instance's disks. */
export function DiskCard({ project, title, hrefOf, disks, actions, buttons, empty }: DiskCardProps) {
  return (
    <TableCard
      title={title}
      buttons={buttons}
      columns={columnsOf({ project, hrefOf })}
      rows={disks}
      rowKey={({ id }) => id}
      rowActions={(disk) => <RowMenu items={actions(disk)} />}
      empty={{ icon: <HardDrive />, ...empty }}
    />
  )
}
