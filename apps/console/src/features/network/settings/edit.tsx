import { createFileRoute } from '@tanstack/react-router'
import { fresh } from '#/resource/address/routeOptions.tsx'
import { load, loadToEdit } from '#/api/query.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { configsQuery } from '../bgp/queries.ts'
import { bodyOfSettings, draftOf } from './draft.ts'
import { Editor } from './Editor.tsx'
import { offers, settingsQuery } from './queries.ts'

export const Route = createFileRoute(
  '/_auth/system/networking/_network/port-settings/$switchPortSettings/edit',
)({
  ...fresh,
  loader: ({ params, cause }) =>
    Promise.all([
      loadToEdit(cause, settingsQuery(params.switchPortSettings)),
      ...offers.map((one) => load<unknown>(one)),
    ]),
  staticData: { crumb: { label: (params) => `Edit ${params['switchPortSettings'] ?? ''}` } },
  component: EditSettings,
})

function EditSettings() {
  const { switchPortSettings: name } = Route.useParams()
  const settings = useLoaded(settingsQuery(name))
  const configs = new Map(useLoaded(configsQuery).map((one) => [one.id, one.name]))
  return <Editor isKnown draft={draftOf(bodyOfSettings(settings, configs))} />
}
