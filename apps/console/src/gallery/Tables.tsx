import { useState, useSyncExternalStore } from 'react'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'
import { BottomBar } from '#/ui/frame/BottomBar.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Pagination } from '#/ui/table/Pagination.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { SideTabs } from '#/ui/layout/SideTabs.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { type Tab, Tabs } from '#/ui/layout/Tabs.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column, Sort } from '#/ui/table/columns.ts'
import { MoreCell } from '#/ui/table/MoreCell.tsx'
import { Table } from '#/ui/table/Table.tsx'

interface Machine {
  name: string
  state: string
  tone: BadgeTone
  cpus: number
  gib: number
  ips: string[]
}

const machines: Machine[] = [
  { name: 'collector-01', state: 'running', tone: 'ok', cpus: 8, gib: 32, ips: ['172.30.0.5'] },
  {
    name: 'collector-02',
    state: 'starting',
    tone: 'busy',
    cpus: 8,
    gib: 32,
    ips: ['172.30.0.6', '172.30.1.6', '172.30.2.6'],
  },
  { name: 'ingest-gateway', state: 'stopped', tone: 'idle', cpus: 2, gib: 8, ips: ['172.30.0.9'] },
  { name: 'query-node-a', state: 'failed', tone: 'danger', cpus: 16, gib: 128, ips: ['172.30.0.12'] },
  { name: 'query-node-b', state: 'migrating', tone: 'note', cpus: 16, gib: 128, ips: ['172.30.0.13'] },
]
const columns: Column<Machine>[] = [
  {
    id: 'name',
    header: 'Name',
    order: 'name',
    cell: ({ name }) => <CellLink href={`#${name}`}>{name}</CellLink>,
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, tone }) => (
      <Badge tone={tone} dot>
        {state}
      </Badge>
    ),
  },
  {
    id: 'cpu',
    header: 'CPU',
    mono: true,
    tip: 'Virtual CPUs of the instance',
    cell: ({ cpus }) => (
      <>
        {cpus} <span className="text-secondary">vCPU</span>
      </>
    ),
  },
  { id: 'memory', header: 'Memory', cell: ({ gib }) => <Size bytes={gib * 1024 ** 3} /> },
  {
    id: 'ip',
    header: 'Internal IP',
    mono: true,
    cell: ({ ips }) => <MoreCell title="Other addresses" items={ips} />,
  },
  {
    id: 'created',
    header: 'Created',
    order: 'created',
    cell: () => <DateTime date={new Date('2026-11-18T14:02:00Z')} />,
  },
]
const menu = (name: string) => (
  <RowMenu
    label="Row actions"
    items={[
      { label: 'Copy ID', onAction: () => undefined },
      { label: 'View disks', href: `#${name}` },
      { label: 'Start', onAction: () => undefined, disabledReason: 'The instance is already running' },
      { label: 'Delete', onAction: () => undefined },
    ]}
  />
)
const rowKey = ({ name }: Machine) => name

// The gallery has no router: what follows the chapter in the address chooses the tab.
const tabs = (tab: string, names: Record<string, string>): Tab[] =>
  Object.entries(names).map(([label, name]) => ({
    label,
    href: `#tables/${name}`,
    isActive: tab === name,
  }))
const watch = (listener: () => void) => {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

export function Tables() {
  const tab = useSyncExternalStore(watch, () => window.location.hash.split('/')[1] ?? 'disks')
  const [sort, setSort] = useState<Sort | undefined>({ column: 'name', descending: false })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['collector-01', 'collector-02']))
  const [one, setOne] = useState<ReadonlySet<string>>(new Set(['collector-01']))
  const [size, setSize] = useState(50)
  const grouped = columns.map((column) =>
    ['cpu', 'memory'].includes(column.id) ? { ...column, group: 'Resources' } : column,
  )
  return (
    <div className="flex grow flex-col gap-5">
      <PageHeader title="Tables" aside="5">
        <span className="text-secondary">{selected.size} selected</span>
        <Button size="small">Start</Button>
        <Button size="small" variant="danger">
          Delete
        </Button>
      </PageHeader>
      <Table
        label="Instances"
        columns={columns}
        rows={machines}
        rowKey={rowKey}
        sort={sort}
        onSort={setSort}
        actions={({ name }) => menu(name)}
        selection={{
          mode: 'multiple',
          selected,
          onChange: setSelected,
          labelOf: ({ name }) => `Select ${name}`,
        }}
      />
      <Tabs label="Instance" tabs={tabs(tab, { Storage: 'disks', Networking: 'net', Metrics: 'metrics' })}>
        <Table
          label="Loading"
          columns={columns}
          rows={[]}
          rowKey={rowKey}
          skeletonRows={3}
          actions={() => null}
        />
      </Tabs>
      <SideTabs label="Metrics" tabs={tabs(tab, { CPU: 'disks', Disk: 'disk', Network: 'network' })}>
        <div className="max-w-md">
          <Table
            label="Choose a target"
            columns={grouped.slice(0, 5)}
            rows={machines.slice(0, 3)}
            rowKey={rowKey}
            actions={({ name }) => menu(name)}
            selection={{
              mode: 'single',
              selected: one,
              onChange: setOne,
              labelOf: ({ name }) => `Select ${name}`,
              disabledReason: ({ state }) => (state === 'stopped' ? 'It is stopped' : undefined),
            }}
          />
        </div>
      </SideTabs>
      <BottomBar>
        <Pagination
          pageSize={size}
          onPageSize={setSize}
          hasPrevious={false}
          hasNext
          onPrevious={() => undefined}
          onNext={() => undefined}
          loading
        />
      </BottomBar>
    </div>
  )
}
