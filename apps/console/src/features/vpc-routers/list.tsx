import type { vpcRouterList } from '@purlin/contract/operations/vpcs/vpc-routers'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { routerActions } from './actions.tsx'
import { RouterKind } from './RouterKind.tsx'
import { SubnetsOf } from './SubnetsOf.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_routers')({
  ...listRoute(kinds.vpcRouter),
  loader: (match) => loadList(routers, match),
  component: () => <ResourceList list={routers} />,
})

const routers: ListOf<typeof vpcRouterList> = {
  kind: kinds.vpcRouter,
  isTab: true,
  emptyTitle: 'No VPC routers',
  docs: {
    summary:
      'Routers say where the packets of a VPC go. The system router serves all subnets; a custom router can be added to a subnet, and its routes are used first.',
    links: [guides.routes, guides.networking],
  },
  actions: (_, scope) => routerActions(scope),
  columns: (_, scope) => [
    nameColumn(kinds.vpcRouter, scope),
    { id: 'kind', header: 'kind', cell: ({ kind }) => <RouterKind kind={kind} /> },
    {
      id: 'subnets',
      header: 'subnets',
      tip: 'The system router serves all subnets of the VPC.',
      cell: (row) => <SubnetsOf router={row} scope={scope} />,
    },
    descriptionColumn,
    createdColumn,
  ],
}
