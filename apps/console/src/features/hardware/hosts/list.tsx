import { createFileRoute } from '@tanstack/react-router'
import type { hostList } from '@purlin/contract/operations/hardware/hosts'
import { transport } from '#/api/transport.ts'
import { sections } from '#/lib/addresses.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { createdColumn } from '#/resource/list/columns.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { NewSleds } from '../sleds/NewSleds.tsx'
import { HardwareLink } from '../parts/columns.tsx'
import { HostBadge } from '../parts/States.tsx'
import { AddHost } from './AddHost.tsx'
import { host, hostActions, type Host } from './hosts.ts'
import { JoinCodes } from './JoinCodes.tsx'

export const Route = createFileRoute('/_auth/system/inventory/_tabs/hosts')({
  ...listRoute({ title: 'Hosts', section: sections.host }),
  staticData: { crumb: { label: 'Hosts', to: () => sections.host.list() } },
  loader: (match) => loadList(hosts, match),
  component: HostsTab,
})

const hosts: ListOf<typeof hostList> = {
  kind: host,
  isTab: true,
  create: {
    label: 'Add host',
    paletteLabel: 'Add host',
    role: 'admin',
    dialog: (close) => <AddHost onDismiss={close} />,
  },
  emptyTitle: 'No hosts have joined',
  emptyBody:
    'Add a host to run instances on another machine. Until then, only sleds inside of a server run some.',
  actions: () => hostActions,
  columns: () => [
    {
      id: 'address',
      header: 'address',
      isRowHeader: true,
      mono: true,
      cell: (row: Host) => host.labelOf(row),
    },
    { id: 'state', header: 'state', cell: (row: Host) => <HostBadge {...row} /> },
    { id: 'sleds', header: 'sleds', cell: ({ sledIds }: Host) => <Sleds ids={sledIds} /> },
    { id: 'version', header: 'version', mono: true, cell: ({ version }: Host) => version ?? <Dash /> },
    {
      id: 'fingerprint',
      header: 'certificate',
      mono: true,
      cell: ({ fingerprint }: Host) => <span title={fingerprint}>{fingerprint.slice(0, 16)}…</span>,
    },
    createdColumn,
  ],
}

const Sleds = ({ ids }: { ids: readonly string[] }) =>
  ids.length === 0 ? (
    <Dash />
  ) : (
    <span className="inline-flex flex-wrap gap-2">
      {ids.map((id) => (
        <HardwareLink key={id} kind="sled" id={id} />
      ))}
    </span>
  )

/** Those of the preview, which no other machine reaches. */
const hostsOfPreview: ListOf<typeof hostList> = {
  ...hosts,
  create: false,
  emptyBody:
    'All sleds are simulated in this page. The preview runs in it alone, so no other machine can join.',
}

function HostsTab() {
  return (
    <>
      <NewSleds />
      <JoinCodes />
      <ResourceList list={transport().preview ? hostsOfPreview : hosts} />
    </>
  )
}
