import type { machineSizeList } from '@purlin/contract/operations/instances/machine-sizes'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { kinds } from '#/resource/kinds.ts'
import { nameColumn } from '#/resource/list/columns.tsx'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { sizeColumns } from './columns.tsx'

export const Route = createFileRoute('/_auth/system/_machine-sizes')({
  ...listRoute(kinds.machineSize),
  loader: (match) => loadList(sizes, match),
  component: () => <ResourceList list={sizes} />,
})

const sizes: ListOf<typeof machineSizeList> = {
  kind: kinds.machineSize,
  docs: {
    summary:
      'The sizes that forms offer for instances, in each silo without its own. A person can always enter another size.',
    links: [guides.machineSizes],
  },
  emptyBody: 'Without any, people enter vCPUs and memory themselves.',
  columns: () => [nameColumn(kinds.machineSize, {}), ...sizeColumns],
}
