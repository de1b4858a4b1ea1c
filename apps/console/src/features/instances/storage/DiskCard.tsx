import HardDrive from 'lucide-react/icons/hard-drive'
import type { ReactNode } from 'react'
import { diskColumns } from '#/features/disks/disks.tsx'
import type { InstanceDisk } from './bootDisk.ts'
import { useActions, type Action } from '#/resource/actions/actions.tsx'
import { useBulkActions } from '#/resource/actions/bulkActions.tsx'
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
  /** Several can be chosen. */
  isSelectable?: boolean
  /** Stands in place of the table when there is no disk. */
  empty: { title: string; body: ReactNode }
}

/** A card with some of an instance's disks. */
export function DiskCard({
  project,
  title,
  hrefOf,
  disks,
  actions,
  buttons,
  isSelectable = false,
  empty,
}: DiskCardProps) {
  const usable = useActions(actions, { project })
  const { selection, bar } = useBulkActions(isSelectable ? actions : [], usable, {
    rows: disks,
    matching: title,
    total: undefined,
    page: '',
    labelOf: ({ name }) => name,
  })
  return (
    <>
      <TableCard
        title={title}
        buttons={
          <>
            {bar}
            {buttons}
          </>
        }
        columns={columnsOf({ project, hrefOf })}
        rows={disks}
        rowKey={({ id }) => id}
        rowActions={(disk) => <RowMenu items={usable.menu(disk)} />}
        {...(selection ? { selection } : {})}
        empty={{ icon: <HardDrive />, ...empty }}
      />
      {usable.dialog}
    </>
  )
}
