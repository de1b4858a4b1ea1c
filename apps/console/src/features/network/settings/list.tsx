import type { networkingSwitchPortSettingsList } from '@purlin/contract/operations/networking/port-settings'
import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { createdColumn, descriptionColumn } from '#/resource/list/columns.tsx'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { settingsActions } from './actions.tsx'
import { portSettings, type SettingsRow } from './queries.ts'

export const Route = createFileRoute('/_auth/system/networking/_network/_tabs/_port-settings')({
  ...listRoute({ title: 'Port Settings', section: sections.switchPortSettings }),
  loader: (match) => loadList(settings, match),
  component: () => <ResourceList list={settings} />,
})

const settings: ListOf<typeof networkingSwitchPortSettingsList> = {
  kind: portSettings,
  isTab: true,
  create: { label: 'New port settings', role: 'admin' },
  emptyTitle: 'No port settings',
  emptyBody:
    'Settings say which links, addresses, routes and BGP peers a switch port has. Apply them to ports.',
  actions: () => settingsActions(),
  columns: () => [
    {
      id: 'name',
      header: 'name',
      order: 'name',
      cell: ({ name }: SettingsRow) => (
        <CellLink href={sections.switchPortSettings.view({ name })}>{name}</CellLink>
      ),
    },
    descriptionColumn,
    createdColumn,
  ],
}
