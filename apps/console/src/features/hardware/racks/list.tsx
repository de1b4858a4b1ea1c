import type { rackList } from '@purlin/contract/operations/hardware/hardware'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { createdColumn } from '#/resource/list/columns.tsx'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { rack, sledsQuery, type Rack } from '../kinds.ts'
import { rackActions } from '../parts/actions.tsx'
import { idColumn, reportedColumn, serialColumn } from '../parts/columns.tsx'
import { PresenceBadge } from '../parts/States.tsx'

export const Route = createFileRoute('/_auth/system/inventory/_tabs/racks')({
  ...listRoute({ title: 'Racks', section: sections.rack }),
  staticData: { crumb: { label: 'Racks', to: () => sections.rack.list() } },
  loader: (match) => loadList(racks, match),
  component: () => <ResourceList list={racks} />,
})

const racks: ListOf<typeof rackList> = {
  kind: rack,
  isTab: true,
  create: false,
  emptyTitle: 'No racks found',
  emptyBody: 'Racks appear here once the hardware has reported itself.',
  actions: () => rackActions,
  columns: () => [
    idColumn('rack'),
    serialColumn<Rack>(({ serial }) => serial),
    { id: 'state', header: 'state', cell: (row) => <PresenceBadge {...row} /> },
    { id: 'sleds', header: 'sleds', mono: true, cell: ({ id }) => <SledsIn rackId={id} /> },
    reportedColumn,
    createdColumn,
  ],
}

function SledsIn({ rackId }: { rackId: string }) {
  const sleds = useQuery({ ...sledsQuery(), throwOnError: false }).data
  return sleds?.filter((one) => one.rackId === rackId).length
}
