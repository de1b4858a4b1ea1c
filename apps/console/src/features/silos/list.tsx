import type { siloList } from '@purlin/contract/operations/silos/system-silos'
import { createFileRoute } from '@tanstack/react-router'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { siloActions, siloDocs } from './actions.tsx'
import { Used } from './Used.tsx'
import { modeWords } from './words.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/_silos')({
  ...listRoute(kinds.silo),
  // The crumb is that of the layout around it, which the pages of a silo have as well.
  staticData: { isList: true },
  loader: (match) => loadList(silos, match),
  component: () => <ResourceList list={silos} />,
})

const silos: ListOf<typeof siloList> = {
  kind: kinds.silo,
  asksFor: { utilization: true },
  docs: siloDocs,
  emptyBody: 'A silo is a separate space for a department or customer, with users, quotas and projects.',
  actions: () => siloActions(),
  columns: () => [
    nameColumn(kinds.silo, {}),
    descriptionColumn,
    { id: 'discoverable', header: 'discoverable', cell: ({ discoverable }) => (discoverable ? 'yes' : 'no') },
    {
      id: 'mode',
      header: 'Identity mode',
      cell: ({ identityMode }) => <Badge>{modeWords(identityMode)}</Badge>,
    },
    { id: 'cpus', header: 'vCPUs', cell: (silo) => <Used silo={silo} of="cpus" /> },
    { id: 'memory', header: 'memory', cell: (silo) => <Used silo={silo} of="memory" /> },
    { id: 'storage', header: 'storage', cell: (silo) => <Used silo={silo} of="storage" /> },
    createdColumn,
  ],
}
