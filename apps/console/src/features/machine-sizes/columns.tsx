import { createdColumn, descriptionColumn } from '#/resource/list/columns.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Size } from '#/ui/value/Size.tsx'
import type { MachineSize } from './sizes.ts'

/** The columns after the name. */
export const sizeColumns: readonly Column<MachineSize>[] = [
  descriptionColumn,
  {
    id: 'cpus',
    header: 'vCPUs',
    order: 'cpus',
    cell: ({ ncpus }) => <span className="mono">{ncpus}</span>,
  },
  { id: 'memory', header: 'memory', order: 'memory', cell: ({ memory }) => <Size bytes={memory} /> },
  createdColumn,
]
