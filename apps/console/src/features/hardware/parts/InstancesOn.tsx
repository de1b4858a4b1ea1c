/** The instances on a sled. */
import { sledInstanceList } from '@purlin/contract/operations/hardware/hardware'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { useQuery } from '@tanstack/react-query'
import Server from 'lucide-react/icons/server'
import type { Item } from '#/api/everyPage.ts'
import { paths } from '#/lib/addresses.ts'
import { copyId, useActions } from '#/resource/actions/actions.tsx'
import { createdColumn } from '#/resource/list/columns.tsx'
import { listPage } from '#/resource/list/listPage.ts'
import type { PagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { InstanceStateBadge } from '#/resource/list/StateBadge.tsx'
import { ownQueries } from '#/resource/role/useRole.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Size } from '#/ui/value/Size.tsx'

type SledInstance = Item<typeof sledInstanceList>

/** An instance by its silo and project, as operators know it. */
type Placed = Pick<SledInstance, 'name' | 'projectName' | 'siloName'>

/** A page of them. */
export const instancesOn = (sledId: string, search: PagingSearch) =>
  listPage(sledInstanceList, { sledId }, search)

/** Whether the signed-in person may open an instance. Operators see those of all silos and open those of one. */
function useMayOpen(): (row: SledInstance) => boolean {
  const me = useQuery(ownQueries.me()).data
  return ({ siloName }) => siloName === me?.siloName && me.siloRole !== null
}

/** The name under the silo and project, as a link if it has an address. */
export const InstanceName = ({ row, href }: { row: Placed; href?: string | undefined }) => (
  <span className="flex flex-col py-2 leading-tight">
    <span className="text-hint text-secondary">
      {row.siloName} / {row.projectName}
    </span>
    {href ? <CellLink href={href}>{row.name}</CellLink> : <span className="font-medium">{row.name}</span>}
  </span>
)

export const Specs = ({ ncpus, memory }: Pick<SledInstance, 'ncpus' | 'memory'>) => (
  <span className="mono">
    {ncpus} <span className="text-secondary">vCPU</span> <Size bytes={memory} />
  </span>
)

const columnsFor = (mayOpen: (row: SledInstance) => boolean): readonly Column<SledInstance>[] => [
  {
    id: 'name',
    header: 'name',
    cell: (row) => (
      <InstanceName
        row={row}
        href={mayOpen(row) ? paths.instance({ project: row.projectName, instance: row.name }) : undefined}
      />
    ),
  },
  { id: 'state', header: 'state', cell: ({ state }) => <InstanceStateBadge state={state} /> },
  { id: 'specs', header: 'specs', cell: (row) => <Specs {...row} /> },
  createdColumn,
]

const actions = [copyId('instance')]

export function InstancesOn({ sledId, search }: { sledId: string; search: PagingSearch }) {
  const mayOpen = useMayOpen()
  const { menu } = useActions<SledInstance>(actions, {})
  return (
    <QueryTable<SledInstance>
      label="Instances"
      queried={filteredKindOf(sledInstanceList)}
      query={instancesOn(sledId, search)}
      columns={columnsFor(mayOpen)}
      actions={(row) => <RowMenu items={menu(row)} />}
      empty={
        <EmptyState icon={<Server />} title="No instances found" body="No instance runs on this sled now." />
      }
    />
  )
}
