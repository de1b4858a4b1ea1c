import type { internetGatewayList } from '@purlin/contract/operations/vpcs/internet-gateways'
import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { guides } from '#/lib/addresses.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { gatewayActions } from './actions.tsx'
import { AddressCell, PoolCell, RouteCountCell } from './cells.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_internet-gateways',
)({
  ...listRoute(kinds.internetGateway),
  loader: (match) => loadList(gateways, match),
  component: () => <ResourceList list={gateways} />,
})

const gateways: ListOf<typeof internetGatewayList> = {
  kind: kinds.internetGateway,
  isTab: true,
  docs: {
    summary:
      'An internet gateway is a way out of a VPC. Routes lead to it; the IP pools and addresses attached to it are those that packets leave with.',
    links: [guides.gateways, guides.networking],
  },
  actions: (_, scope) => gatewayActions(scope),
  asksFor: { attached: true },
  prefetch: () => prefetch(poolsQuery()),
  columns: (_, scope) => [
    nameColumn(kinds.internetGateway, scope),
    descriptionColumn,
    { id: 'pool', header: 'Attached IP Pool', cell: (gateway) => <PoolCell gateway={gateway} /> },
    {
      id: 'address',
      header: 'Attached IP Address',
      tip: 'Without one, an address of the attached pool is used.',
      cell: (gateway) => <AddressCell gateway={gateway} />,
    },
    {
      id: 'routes',
      header: 'routes',
      tip: 'Routes of any router of the VPC whose target is the gateway.',
      cell: (gateway) => <RouteCountCell gateway={gateway} scope={scope} />,
    },
    createdColumn,
  ],
}
