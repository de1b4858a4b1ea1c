import { createFileRoute } from '@tanstack/react-router'
import type { sledList } from '@purlin/contract/operations/hardware/hardware'
import { sections } from '#/lib/addresses.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { sled, type Sled } from '../kinds.ts'
import { sledActions } from '../parts/actions.tsx'
import { idColumn, serialColumn } from '../parts/columns.tsx'
import { Load } from '../parts/Load.tsx'
import { LifeBadge, PolicyBadge, ProvisionBadge } from '../parts/States.tsx'
import { NewSleds } from './NewSleds.tsx'

export const Route = createFileRoute('/_auth/system/inventory/_tabs/sleds')({
  ...listRoute({ title: 'Sleds', section: sections.sled }),
  staticData: { crumb: { label: 'Sleds', to: () => sections.sled.list() } },
  loader: (match) => loadList(sleds, match),
  component: SledsTab,
})

const sleds: ListOf<typeof sledList> = {
  kind: sled,
  isTab: true,
  isStrict: true,
  create: false,
  emptyTitle: 'No sleds found',
  emptyBody:
    'Sleds appear here once a host has joined and you have added its sleds: press Add host on the tab Hosts.',
  actions: () => sledActions,
  columns: () => [
    idColumn('sled'),
    serialColumn<Sled>(({ baseboard }) => baseboard.serial),
    { id: 'state', header: 'state', cell: (row) => <LifeBadge {...row} /> },
    {
      id: 'part',
      header: 'part number',
      group: 'Baseboard',
      spare: 2,
      mono: true,
      cell: ({ baseboard }) => baseboard.part,
    },
    {
      id: 'revision',
      header: 'revision',
      group: 'Baseboard',
      spare: 3,
      mono: true,
      cell: ({ baseboard }) => baseboard.revision,
    },
    { id: 'kind', header: 'Kind', group: 'Policy', cell: ({ policy }) => <PolicyBadge kind={policy.kind} /> },
    {
      id: 'provision',
      header: 'Provision policy',
      spare: 1,
      group: 'Policy',
      cell: ({ policy }) => <ProvisionBadge policy={policy} />,
    },
    {
      id: 'threads',
      header: 'threads',
      group: 'Reserved / usable',
      order: 'threads',
      cell: ({ capacity }) => (capacity ? <Load {...capacity.threads} /> : <Dash />),
    },
    {
      id: 'memory',
      header: 'memory',
      group: 'Reserved / usable',
      order: 'memory',
      cell: ({ capacity }) => (capacity ? <Load {...capacity.memory} isBytes /> : <Dash />),
    },
  ],
}

function SledsTab() {
  return (
    <>
      <NewSleds />
      <ResourceList list={sleds} />
    </>
  )
}
