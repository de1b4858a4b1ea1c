import { createFileRoute } from '@tanstack/react-router'
import { acceleratorWords } from '#/lib/accelerators.ts'
import { viewQuery } from '#/resource/kind.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { sled, type Sled } from '../kinds.ts'
import { CapacityBars } from '../parts/FleetCapacity.tsx'
import { JoinedHost } from '../parts/JoinedHost.tsx'
import { HostBadge, LinkBadge } from '../parts/States.tsx'
import { celsiusText, cubbyText, familyWords, networkModeWords, speedText } from '../parts/words.ts'

export const Route = createFileRoute('/_auth/system/inventory/_sled-pages/sleds/$sledId/host')({
  staticData: { crumb: { label: 'Host' } },
  component: HostTab,
})

const { icon: Icon } = sled
type Host = NonNullable<Sled['host']>

const columns: readonly Column<Host['links'][number]>[] = [
  { id: 'name', header: 'link', mono: true, cell: ({ name }) => name },
  { id: 'state', header: 'state', cell: (link) => <LinkBadge state={link.state} isUsed /> },
  {
    id: 'speed',
    header: 'speed',
    mono: true,
    cell: ({ speed }) => (typeof speed === 'number' ? speedText(speed) : <Dash />),
  },
]

/** The machine itself: its resources, its parts and its network links. */
function HostTab() {
  const { host, joinedHost, capacity, timeReported, timeCreated, timeModified } = useLoaded(
    viewQuery(sled, Route.useParams().sledId),
  )
  if (!host)
    return <EmptyState icon={<Icon />} title="No report" body="The host has not described itself yet." />
  return (
    <div className="flex flex-col gap-4">
      {capacity && <CapacityBars capacity={capacity} />}
      <PropertiesTable
        properties={[
          { label: 'Host process', value: <JoinedHost joinedHost={joinedHost} /> },
          ...(joinedHost
            ? [
                { label: 'Process state', value: <HostBadge {...joinedHost} /> },
                {
                  label: 'Version',
                  value: host.version && <span className="mono">{host.version}</span>,
                },
              ]
            : []),
          { label: 'Vendor', value: host.vendor },
          { label: 'Model', value: host.model },
          { label: 'CPU', value: host.cpuModel },
          { label: 'CPU platform', value: familyWords[host.cpuFamily] },
          { label: 'Accelerator', value: acceleratorWords[host.accelerator] },
          { label: 'Guest networks', value: host.networkMode && networkModeWords[host.networkMode] },
          { label: 'Tunnel address', value: host.tunnelAddress },
          { label: 'External addresses', value: host.external?.join(', ') || undefined },
          { label: 'Place', value: host.cubby === null ? undefined : cubbyText(host.cubby) },
          {
            label: 'Temperature',
            value: typeof host.temperature === 'number' ? celsiusText(host.temperature) : undefined,
          },
          { label: 'Last report', value: timeReported && <DateTime date={timeReported} /> },
          { label: 'Added', value: <DateTime date={timeCreated} /> },
          { label: 'Updated', value: <DateTime date={timeModified} /> },
        ]}
      />
      <Table label="Links" columns={columns} rows={host.links} rowKey={({ name }) => name} />
    </div>
  )
}
