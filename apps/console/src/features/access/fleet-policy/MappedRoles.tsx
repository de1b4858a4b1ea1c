import { siloList } from '@purlin/contract/operations/silos/system-silos'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { everyPage } from '#/api/everyPage.ts'
import { RoleBadge } from '#/resource/list/StateBadge.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { mappedRows, type MappedRow } from './mapped.ts'

const columns: readonly Column<MappedRow>[] = [
  { id: 'silo', header: 'silo', cell: ({ silo }) => <span className="font-medium">{silo}</span> },
  {
    id: 'from',
    header: 'role on the silo',
    cell: ({ from }) => <RoleBadge source="silo" role={from} />,
    tip: 'All users with this role or a stronger one on the silo, now or later',
  },
  { id: 'to', header: 'role on the fleet', cell: ({ to }) => <RoleBadge source="fleet" role={to} /> },
]

/** The roles on the fleet that silos give to their users. */
export function MappedRoles() {
  const { data, error } = useQuery({ ...everyPage(siloList, { query: {} }), throwOnError: false })
  const rows = mappedRows(data ?? [])
  if (error)
    return <Notice className="mt-6">Could not load the roles that silos give: {errorMessage(error)}</Notice>
  if (rows.length === 0) return null
  return (
    <section className="mt-8 flex flex-col gap-3">
      <h2 className="text-lg font-semibold">Given by silos</h2>
      <Table label="Roles given by silos" columns={columns} rows={rows} rowKey={({ key }) => key} />
    </section>
  )
}
