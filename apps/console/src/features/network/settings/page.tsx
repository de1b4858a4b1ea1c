import { createFileRoute } from '@tanstack/react-router'
import { load, loadOrKeep } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { configsQuery } from '../bgp/queries.ts'
import { settingsQuery } from './queries.ts'
import { Settings } from './Settings.tsx'

export const Route = createFileRoute('/_auth/system/networking/_network/port-settings/$switchPortSettings')({
  loader: ({ params, cause }) =>
    Promise.all([loadOrKeep(cause, settingsQuery(params.switchPortSettings)), load(configsQuery)]),
  staticData: {
    crumb: {
      label: (params) => params['switchPortSettings'] ?? '',
      to: (params) => sections.switchPortSettings.view({ name: params['switchPortSettings'] ?? '' }),
    },
  },
  component: SettingsPage,
})

function SettingsPage() {
  return <Settings port={Route.useParams().switchPortSettings} />
}
