import type { vpcSubnetList } from '@purlin/contract/operations/vpcs/vpc-subnets'
import { createFileRoute } from '@tanstack/react-router'
import { LossesOf, lossesOf } from '#/features/network-losses/losses.tsx'
import { ReferencesOf } from '#/features/network-losses/references.tsx'
import { CustomRouter } from '#/features/vpc-routers/CustomRouter.tsx'
import { guides, type Scope } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { InterfacesIn } from './InterfacesIn.tsx'
import { interfacesIn } from './queries.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_subnets')({
  ...listRoute(kinds.vpcSubnet),
  loader: (match) => loadList(subnets, match),
  component: () => <ResourceList list={subnets} />,
})

/** The interfaces that prevent the deletion. */
async function refusal({ id }: { id: string }, { project = '' }: Scope) {
  const inside = await interfacesIn(id)
  if (inside.interfaces.length === 0) return undefined
  return { reason: <InterfacesIn project={project} {...inside} /> }
}

/** The effects of the deletion on the rest of the VPC. */
async function deletionNote({ id }: { id: string }, scope: Scope) {
  const { project = '', vpc = '' } = scope
  const losses = await lossesOf(scope, { type: 'delete_subnet', id })
  return (
    <>
      <ReferencesOf losses={losses} vpc={{ project, vpc }} />
      <LossesOf losses={losses} />
    </>
  )
}

const subnets: ListOf<typeof vpcSubnetList> = {
  kind: kinds.vpcSubnet,
  isTab: true,
  emptyTitle: 'No VPC subnets',
  docs: {
    summary:
      'A subnet is a block of private IPv4 and IPv6 addresses of a VPC. Network interfaces get their addresses from it.',
    links: [guides.subnets, guides.networking],
  },
  actions: (_, scope) =>
    plainActions(kinds.vpcSubnet, scope, {
      refusal: (row) => refusal(row, scope),
      note: ([row]) => row && deletionNote(row, scope),
    }),
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
