import type { vpcSubnetList } from '@purlin/contract/operations/vpcs/vpc-subnets'
import { createFileRoute } from '@tanstack/react-router'
import { CustomRouter } from '#/features/vpc-routers/CustomRouter.tsx'
import { guides } from '#/lib/addresses.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { subnetActions } from './actions.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_subnets')({
  ...listRoute(kinds.vpcSubnet),
  loader: (match) => loadList(subnets, match),
  component: () => <ResourceList list={subnets} />,
})

const subnets: ListOf<typeof vpcSubnetList> = {
  kind: kinds.vpcSubnet,
  isTab: true,
  emptyTitle: 'No VPC subnets',
  docs: {
    summary:
      'A subnet is a block of private IPv4 and IPv6 addresses of a VPC. Network interfaces get their addresses from it.',
    links: [guides.subnets, guides.networking],
  },
  actions: (_, scope) => subnetActions(scope),
  columns: (_, scope) => [
    nameColumn(kinds.vpcSubnet, scope),
    descriptionColumn,
    {
      id: 'blocks',
      header: 'IP Block',
      cell: ({ ipv4Block, ipv6Block }) => (
        <span className="mono grid gap-0.5 py-1.5">
          <span>{ipv4Block}</span>
          <span className="text-secondary">{ipv6Block}</span>
        </span>
      ),
    },
    {
      id: 'router',
      header: 'Custom Router',
      cell: ({ customRouterId }) => <CustomRouter id={customRouterId} scope={scope} />,
    },
    createdColumn,
  ],
}
