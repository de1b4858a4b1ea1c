import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadRow, rowRoute } from '#/resource/address/routeOptions.tsx'
import { textRules } from '#/resource/form/textRules.ts'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { imageDisabledReason } from './actions.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_snapshots/snapshots/$snapshot/images-new',
)({
  ...rowRoute(kinds.snapshot, { label: 'Create image from snapshot' }),
  loader: ({ params }) => loadRow(kinds.snapshot, params),
  component: CreateImage,
})

function CreateImage() {
  const params = Route.useParams()
  const { project } = params
  const { data: snapshot } = useSuspenseQuery(viewQuery(kinds.snapshot, params.snapshot, params))
  const source = { type: 'snapshot', id: snapshot.id } as const
  return (
    <CreateForm
      kind={kinds.image}
      title="Create image from snapshot"
      submitLabel="Create image"
      disabledReason={imageDisabledReason(snapshot)}
      values={{ name: snapshot.name, description: '', os: '', version: '' }}
      toBody={(values) => ({ ...values, source })}
      closeTo={sections.snapshot.list(project)}
      cta={{ href: sections.image.list(project), text: 'View images' }}
      note={
        <PropertiesTable
          columns={1}
          properties={[
            { label: 'Snapshot', value: snapshot.name },
            { label: 'Project', value: project },
            { label: 'Size', value: <Size bytes={snapshot.size} /> },
          ]}
        />
      }
    >
      {({ control }) => (
        <>
          <TextControl name="os" control={control} label="OS" {...textRules(kinds.image.create, 'os')} />
          <TextControl name="version" control={control} {...textRules(kinds.image.create, 'version')} />
        </>
      )}
    </CreateForm>
  )
}
