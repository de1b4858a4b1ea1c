import type { vpcList } from '@purlin/contract/operations/vpcs/vpcs'
import { createFileRoute } from '@tanstack/react-router'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { vpcActions, vpcDocs } from './actions.tsx'
import { RuleCount } from './RuleCount.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/_vpcs')({
  ...listRoute(kinds.vpc),
  // The crumb is that of the layout around it, which the pages of a VPC have as well.
  staticData: { isList: true },
  loader: (match) => loadList(vpcs, match),
  component: () => <ResourceList list={vpcs} />,
})

const vpcs: ListOf<typeof vpcList> = {
  kind: kinds.vpc,
  docs: vpcDocs,
  actions: (project) => vpcActions(project),
  asksFor: { totalFirewallRules: true },
  columns: (project) => [
    nameColumn(kinds.vpc, { project }),
    { id: 'dnsName', header: 'DNS name', cell: ({ dnsName }) => <span className="mono">{dnsName}</span> },
    descriptionColumn,
    {
      id: 'rules',
      header: 'firewall rules',
      cell: ({ id, name, totalFirewallRules: known }) => (
        <RuleCount id={id} target={{ project, vpc: name }} known={known} />
      ),
    },
    createdColumn,
  ],
}
