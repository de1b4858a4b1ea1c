import type { floatingIpList } from '@purlin/contract/operations/addresses/floating-ips'
import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { PoolName } from '#/features/ip-pools/PoolName.tsx'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { guides } from '#/lib/addresses.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { Address } from '#/ui/value/Address.tsx'
import { floatingIpActions } from './actions.tsx'
import { AttachedInstance } from './floatingIps.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_floating-ips')({
  ...listRoute(kinds.floatingIp),
  loader: (match) => loadList(floatingIps, match),
  component: () => <ResourceList list={floatingIps} />,
})

const floatingIps: ListOf<typeof floatingIpList> = {
  kind: kinds.floatingIp,
  docs: {
    summary:
      'A floating IP is an external address that belongs to the project. It remains when an instance is deleted and can be moved between instances.',
    links: [guides.floatingIps],
  },
  actions: floatingIpActions,
  prefetch: () => prefetch(poolsQuery()),
  columns: (project) => [
    nameColumn(kinds.floatingIp, { project }),
    descriptionColumn,
    { id: 'ip', header: 'IP address', order: 'ip', cell: ({ ip }) => <Address ip={ip} /> },
    { id: 'pool', header: 'IP pool', cell: ({ ipPoolId }) => <PoolName id={ipPoolId} /> },
    {
      id: 'instance',
      header: 'Attached to instance',
      cell: ({ instanceId }) => <AttachedInstance project={project} id={instanceId} inCell />,
    },
    createdColumn,
  ],
}
