import { siloQuotasUpdate, type siloList } from '@purlin/contract/operations/system-silos'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import type { Item } from '#/api/everyPage.ts'
import { plainActions, type Action } from '#/resource/actions.tsx'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/columns.tsx'
import { kinds, roleFor } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/ResourceList.tsx'
import { listRoute } from '#/resource/routeOptions.tsx'
import { Badge } from '#/ui/Badge.tsx'
import { Used } from './Used.tsx'

export const Route = createFileRoute('/_auth/system/_silos')({
  ...listRoute(kinds.silo),
  loader: (match) => loadList(silos, match),
  component: () => <ResourceList list={silos} />,
})

const editQuotas: Action<Item<typeof siloList>> = {
  id: 'quotas',
  label: 'Edit quotas',
  role: roleFor(siloQuotasUpdate),
  href: ({ name }) => kinds.silo.section.edit({ name }),
}
const deleting = {
  note: () =>
    'Its users, groups, sessions and roles are deleted with it, and its links to IP pools are removed. A silo that has projects or images cannot be deleted.',
  typeToConfirm: ({ name }: Item<typeof siloList>) => name,
}

const silos: ListOf<typeof siloList> = {
  kind: kinds.silo,
  asksFor: { utilization: true },
  docs: {
    summary:
      'A silo separates a tenant from all others: it has its own users and groups, its own projects, and its own limits.',
    links: [guides.silos],
  },
  create: { label: 'New silo' },
  emptyBody: 'A silo is what a department or customer works in. Create one to see it here.',
  actions: () => plainActions(kinds.silo, undefined, { ...deleting, own: [editQuotas] }),
  columns: () => [
    nameColumn(kinds.silo, {}),
    descriptionColumn,
    { id: 'discoverable', header: 'discoverable', cell: ({ discoverable }) => (discoverable ? 'yes' : 'no') },
    {
      id: 'mode',
      header: 'Identity mode',
      cell: ({ identityMode }) => <Badge>{identityMode.replace('_', ' ')}</Badge>,
    },
    { id: 'cpus', header: 'vCPUs', cell: (silo) => <Used silo={silo} of="cpus" /> },
    { id: 'memory', header: 'memory', cell: (silo) => <Used silo={silo} of="memory" /> },
    { id: 'storage', header: 'storage', cell: (silo) => <Used silo={silo} of="storage" /> },
    createdColumn,
  ],
}
