import type { networkingLoopbackAddressList } from '@purlin/contract/operations/networking/address-lots'
import { createFileRoute } from '@tanstack/react-router'
import { HardwareLink } from '#/features/hardware/parts/columns.tsx'
import { sections } from '#/lib/addresses.ts'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { BlockLink } from '../blocks.tsx'
import { loopbackAddress, type Loopback } from '../kinds.ts'
import { loopbackActions } from './actions.ts'

export const Route = createFileRoute('/_auth/system/networking/_network/_tabs/_loopback-addresses')({
  ...listRoute({ title: 'Loopback Addresses', section: sections.loopbackAddress }),
  loader: (match) => loadList(loopbacks, match),
  component: () => <ResourceList list={loopbacks} />,
})

const loopbacks: ListOf<typeof networkingLoopbackAddressList> = {
  kind: loopbackAddress,
  isTab: true,
  create: { role: 'admin' },
  emptyBody: 'A switch is reached at its loopback address over whichever of its ports is up.',
  actions: () => loopbackActions,
  columns: () => [
    {
      id: 'address',
      header: 'address',
      mono: true,
      isRowHeader: true,
      cell: ({ address }: Loopback) => address,
    },
    { id: 'switch', header: 'switch', mono: true, cell: ({ switchLocation }: Loopback) => switchLocation },
    { id: 'rack', header: 'rack', cell: ({ rackId }: Loopback) => <HardwareLink kind="rack" id={rackId} /> },
    {
      id: 'block',
      header: 'block',
      cell: ({ addressLotBlockId }: Loopback) => <BlockLink id={addressLotBlockId} />,
    },
  ],
}
