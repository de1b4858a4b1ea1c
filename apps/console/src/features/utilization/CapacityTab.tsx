import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { CapacityBars } from '#/features/hardware/parts/FleetCapacity.tsx'
import { HardwareLink } from '#/features/hardware/parts/columns.tsx'
import { Load } from '#/features/hardware/parts/Load.tsx'
import { sections } from '#/lib/addresses.ts'
import { twoDecimals } from '#/lib/format.ts'
import { Button } from '#/ui/button/Button.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { capacityQuery } from './capacity.ts'
import type { Capacity } from './trend.ts'
import { TrendCharts } from './TrendCharts.tsx'

/** The resources of the fleet: how much there is, what still fits, and how long it will last. */
export function CapacityTab() {
  const { data, error, refetch } = useQuery(capacityQuery())
  if (error && !data)
    return (
      <Notice tone="danger" title="Could not load the capacity">
        <p className="mb-2">{errorMessage(error)}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </Notice>
    )
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="flex flex-col gap-6">
      <CapacityBars capacity={data} />
      <Section title="Fleet">
        <Table label="Fleet" columns={columns} rows={rowsOf(data)} rowKey={({ key }) => key} />
      </Section>
      <Section title="Racks">
        <Table label="Racks" columns={rackColumns} rows={data.racks} rowKey={({ id }) => id} />
      </Section>
      <Section title="What still fits">
        <p className="text-secondary">
          More instances that could start now, if only this size were started. Affinity rules may allow fewer.
        </p>
        {data.fits.length === 0 ? (
          <NoSizes />
        ) : (
          <Table label="What still fits" columns={fitColumns} rows={data.fits} rowKey={({ name }) => name} />
        )}
      </Section>
      <Section title="Days until full">
        <p className="text-secondary">
          The trend of the last 30 days, continued until everything that is usable is provisioned.
        </p>
        <TrendCharts capacity={data} />
      </Section>
    </div>
  )
}

const Section = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section className="flex flex-col gap-3">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
  </section>
)

interface ResourceRow {
  key: 'threads' | 'memory' | 'storage'
  title: string
  usable: number
  reserved: number
  used: number | null
  estimate: number
}

const rowsOf = (capacity: Capacity): ResourceRow[] => {
  const row = (key: ResourceRow['key'], title: string): ResourceRow => ({
    key,
    title,
    ...capacity[key],
    estimate: capacity.estimate[key],
  })
  return [row('threads', 'Hardware threads'), row('memory', 'Memory'), row('storage', 'Storage')]
}

const amount = ({ key }: ResourceRow, value: number | null) => {
  if (value === null) return <Dash />
  return key === 'threads' ? (
    <span className="mono">{twoDecimals(value)}</span>
  ) : (
    <Size bytes={Math.round(value)} />
  )
}

const columns: readonly Column<ResourceRow>[] = [
  { id: 'name', header: 'resource', cell: ({ title }) => <span className="font-medium">{title}</span> },
  {
    id: 'usable',
    header: 'usable',
    tip: 'By instances, of sleds that are in service and answer',
    cell: (row) => amount(row, row.usable),
  },
  {
    id: 'reserved',
    header: 'reserved',
    tip: 'For instances that are placed on a sled; storage for all disks and snapshots',
    cell: (row) => amount(row, row.reserved),
  },
  { id: 'used', header: 'used', tip: 'At the last report', cell: (row) => amount(row, row.used) },
  {
    id: 'free',
    header: 'free',
    tip: 'Usable and not reserved',
    cell: (row) => amount(row, Math.max(0, row.usable - row.reserved)),
  },
  {
    id: 'estimate',
    header: 'estimate',
    tip: '70% of the resources of the sleds, for planning',
    cell: (row) => amount(row, row.estimate),
  },
]

const rackColumns: readonly Column<Capacity['racks'][number]>[] = [
  {
    id: 'name',
    header: 'rack',
    cell: ({ id, serial }) => <HardwareLink kind="rack" id={id} label={serial} />,
  },
  {
    id: 'threads',
    header: 'threads',
    group: 'Reserved / usable',
    cell: ({ threads }) => <Load {...threads} />,
  },
  {
    id: 'memory',
    header: 'memory',
    group: 'Reserved / usable',
    cell: ({ memory }) => <Load {...memory} isBytes />,
  },
  {
    id: 'storage',
    header: 'storage',
    group: 'Reserved / usable',
    cell: ({ storage }) => <Load {...storage} isBytes />,
  },
]

const fitColumns: readonly Column<Capacity['fits'][number]>[] = [
  { id: 'name', header: 'size', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { id: 'cpus', header: 'vCPUs', cell: ({ ncpus }) => <span className="mono">{ncpus}</span> },
  { id: 'memory', header: 'memory', cell: ({ memory }) => <Size bytes={memory} /> },
  {
    id: 'count',
    header: 'instances',
    cell: ({ count }) => (
      <span className={count === 0 ? 'mono font-medium text-danger' : 'mono font-medium'}>
        {count.toLocaleString()}
      </span>
    ),
  },
]

const NoSizes = () => (
  <p className="text-secondary">
    The fleet has no <TextLink href={sections.machineSize.list()}>machine sizes</TextLink>.
  </p>
)
