import HardDrive from 'lucide-react/icons/hard-drive'
import type { ReactNode } from 'react'
import { diskColumns } from '#/features/disks/disks.tsx'
import type { InstanceDisk } from './bootDisk.ts'
import { useActions, type Action } from '#/resource/actions/actions.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { TableCard } from '#/ui/table/TableCard.tsx'

const columnsOf = (props: Pick<DiskCardProps, 'project' | 'hrefOf'>): readonly Column<InstanceDisk>[] =>
  Object.values(diskColumns({ ...props, header: 'Disk' }))

export interface DiskCardProps {
  project: string
  title: string
  /** Where the name of a disk leads. */
  hrefOf: (disk: string) => string
  disks: readonly InstanceDisk[]
  actions: readonly Action<InstanceDisk>[]
  buttons?: ReactNode
  /** Stands in place of the table when there is no disk. */
  empty: { title: string; body: ReactNode }
}

/** A card with some of an instance's disks. */
export function DiskCard({ project, title, hrefOf, disks, actions, buttons, empty }: DiskCardProps) {
  const { menu, dialog } = useActions(actions, { project })
  return (
    <>
      <TableCard
        title={title}
        buttons={buttons}
        columns={columnsOf({ project, hrefOf })}
        rows={disks}
        rowKey={({ id }) => id}
        rowActions={(disk) => <RowMenu items={menu(disk)} />}
        empty={{ icon: <HardDrive />, ...empty }}
      />
      {dialog}
    </>
  )
}
