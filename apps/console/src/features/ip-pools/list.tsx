import type { ipPoolList } from '@purlin/contract/operations/addresses/system-ip-pools'
import { createFileRoute } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { poolActions, poolDocs } from './actions.tsx'
import { RemainingIps } from './RemainingIps.tsx'

export const Route = createFileRoute('/_auth/system/networking/_pools/_ip-pools')({
  ...listRoute(kinds.ipPool),
  // The crumb is that of the layout around it, which the page of a pool has as well.
  staticData: { isList: true },
  loader: (match) => loadList(pools, match),
  component: () => <ResourceList list={pools} />,
})

const pools: ListOf<typeof ipPoolList> = {
  kind: kinds.ipPool,
  docs: poolDocs,
  emptyBody:
    'A pool holds external addresses for the silos that it is linked to. Instances are not reachable from outside without one.',
  also: { label: 'Service pool', href: paths.servicePool },
  actions: () => poolActions(),
  columns: () => [
    nameColumn(kinds.ipPool, {}),
    descriptionColumn,
    { id: 'version', header: 'version', cell: ({ ipVersion }) => ipVersion },
    { id: 'remaining', header: 'IPs remaining', cell: ({ id }) => <RemainingIps poolId={id} /> },
    createdColumn,
  ],
}
