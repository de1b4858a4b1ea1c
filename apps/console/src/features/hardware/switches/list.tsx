import type { switchList } from '@purlin/contract/operations/hardware/hardware'
import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { networkSwitch, type Switch } from '../kinds.ts'
import { switchActions } from '../parts/actions.tsx'
import { HardwareLink, idColumn, serialColumn } from '../parts/columns.tsx'
import { PresenceBadge } from '../parts/States.tsx'
import { celsiusText } from '../parts/words.ts'

export const Route = createFileRoute('/_auth/system/inventory/_tabs/switches')({
  ...listRoute({ title: 'Switches', section: sections.switch }),
  staticData: { crumb: { label: 'Switches', to: () => sections.switch.list() } },
  loader: (match) => loadList(switches, match),
  component: () => <ResourceList list={switches} />,
})

const switches: ListOf<typeof switchList> = {
  kind: networkSwitch,
  isTab: true,
  create: false,
  emptyTitle: 'No switches found',
  emptyBody: 'Switches appear here once the hardware has reported itself.',
  actions: () => switchActions,
  columns: () => [
    idColumn('switch'),
    serialColumn<Switch>(({ baseboard }) => baseboard.serial),
    { id: 'state', header: 'state', cell: (row) => <PresenceBadge {...row} /> },
    { id: 'location', header: 'location', mono: true, cell: ({ location }) => location ?? <Dash /> },
    {
      id: 'part',
      header: 'part number',
      group: 'Baseboard',
      spare: 2,
      mono: true,
      cell: ({ baseboard }) => baseboard.part,
    },
    {
      id: 'revision',
      header: 'revision',
      group: 'Baseboard',
      spare: 3,
      mono: true,
      cell: ({ baseboard }) => baseboard.revision,
    },
    { id: 'model', header: 'model', spare: 1, mono: true, cell: ({ model }) => model ?? <Dash /> },
    {
      id: 'temperature',
      header: 'temperature',
      mono: true,
      cell: ({ temperature }) => (typeof temperature === 'number' ? celsiusText(temperature) : <Dash />),
    },
    { id: 'rack', header: 'rack', cell: ({ rackId }) => <HardwareLink kind="rack" id={rackId} /> },
  ],
}
