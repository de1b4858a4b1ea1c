import { paths } from '../../../../../paths.ts'
import { InstanceState } from '../../../../../parts/instance/InstanceState.tsx'
import type { Instance } from '../../../../../parts/instance/update.ts'
import { DateTime } from '../../../../../ui/DateTime.tsx'
import { ListedIps } from './ListedIps.tsx'
import { Size } from '../../../../../ui/Size.tsx'
import { CellLink } from '../../../../../ui/table/CellLink.tsx'
import type { Column } from '../../../../../ui/table/columns.ts'

/** The columns of a project's instances. */
export const columnsOf = (project: string): readonly Column<Instance>[] => [
  {
    id: 'name',
    header: 'name',
    sortable: true,
    cell: ({ name }) => <CellLink href={paths.instance({ project, instance: name })}>{name}</CellLink>,
  },
  { id: 'state', header: 'state', cell: (instance) => <InstanceState instance={instance} /> },
  {
    id: 'cpu',
    header: 'CPU',
    mono: true,
    cell: ({ ncpus }) => (
      <>
        {ncpus} <span className="text-secondary">{ncpus === 1 ? 'vCPU' : 'vCPUs'}</span>
      </>
    ),
  },
  { id: 'memory', header: 'Memory', cell: ({ memory }) => <Size bytes={memory} /> },
  {
    id: 'ips',
    header: 'External IPs',
    cell: ({ name }) => <ListedIps target={{ project, instance: name }} />,
  },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]
