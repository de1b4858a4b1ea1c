import { networkingSwitchPortLldpNeighbors } from '@purlin/contract/operations/hardware/lldp'
import { useQuery } from '@tanstack/react-query'
import Cable from 'lucide-react/icons/cable'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { errorMessage } from '#/api/errors.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import type { Port } from './ports.ts'

type Neighbor = Item<typeof networkingSwitchPortLldpNeighbors>
const liveMs = 5000

const columns: readonly Column<Neighbor>[] = [
  {
    id: 'system',
    header: 'system',
    isRowHeader: true,
    cell: ({ systemName, chassisId }) => systemName ?? chassisId,
  },
  { id: 'link', header: 'port', mono: true, cell: ({ linkName }) => linkName },
  {
    id: 'description',
    header: 'description',
    cell: ({ systemDescription }) => systemDescription ?? <Dash />,
  },
  { id: 'chassis', header: 'chassis ID', mono: true, cell: ({ chassisId }) => chassisId },
  {
    id: 'management',
    header: 'management address',
    mono: true,
    cell: ({ managementIp }) => managementIp.map(({ addr }) => addr.ipAddr).join(', ') || <Dash />,
  },
  { id: 'first', header: 'first seen', cell: ({ firstSeen }) => <DateTime date={firstSeen} /> },
  { id: 'last', header: 'last seen', cell: ({ lastSeen }) => <DateTime date={lastSeen} /> },
]

/** Devices at the other end of a port, as they present themselves by LLDP. */
export function Neighbors({ port: { rackId, switchLocation, portName } }: { port: Port }) {
  const params = { rackId, switchLocation, port: portName }
  const { data, error } = useQuery({
    ...everyPage(networkingSwitchPortLldpNeighbors, { params, query: {} }),
    refetchInterval: liveMs,
    throwOnError: false,
  })
  if (!data) return error ? <p role="alert">{errorMessage(error)}</p> : <Skeleton className="h-2.5 w-40" />
  if (data.length === 0)
    return (
      <EmptyState
        icon={<Cable />}
        title="No neighbors"
        body="No device presents itself by LLDP on this port."
      />
    )
  return (
    <Table
      label="Neighbors"
      columns={columns}
      rows={data}
      rowKey={({ linkName, chassisId }) => `${chassisId} ${linkName}`}
    />
  )
}
