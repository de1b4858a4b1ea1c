import { imageCreate, imageList } from '@purlin/contract/operations/images'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { invalidate, load } from '../../../../../api.ts'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { PanelError } from '../../../../../parts/PanelError.tsx'
import { ResourceForm } from '../../../../../parts/ResourceForm.tsx'
import { imageRefusal, snapshotQuery } from '../../../../../parts/snapshot/snapshots.tsx'
import { doneToast } from '../../../../../parts/toasts.tsx'
import { paths } from '../../../../../paths.ts'
import { send } from '../../../../../send.ts'
import { DescriptionControl } from '../../../../../ui/form/DescriptionControl.tsx'
import { NameControl } from '../../../../../ui/form/NameControl.tsx'
import { TextControl } from '../../../../../ui/form/TextControl.tsx'
import { PropertiesTable } from '../../../../../ui/PropertiesTable.tsx'
import { Size } from '../../../../../ui/Size.tsx'
import { addToast } from '../../../../../ui/toast.ts'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_snapshots/snapshots/$snapshot_/images-new',
)({
  loader: ({ params }) => load(snapshotQuery(params)),
  staticData: { crumb: { label: 'Create image from snapshot', titleOnly: true } },
  component: CreateImage,
  errorComponent: Failed,
})

function Failed({ error }: { error: unknown }) {
  return <PanelError error={error} href={paths.snapshots(Route.useParams().project)} />
}

function CreateImage() {
  const params = Route.useParams()
  const { project } = params
  const navigate = useNavigate()
  const { data: snapshot } = useSuspenseQuery(snapshotQuery(params))
  const { lacks } = useProjectRole(project)
  const form = useForm({ defaultValues: { name: snapshot.name, description: '', os: '', version: '' } })
  const href = paths.snapshots(project)
  const create = async (values: { name: string; description: string; os: string; version: string }) => {
    const source = { type: 'snapshot', id: snapshot.id } as const
    const image = await send(imageCreate, { query: { project }, body: { ...values, source } })
    void invalidate(imageList)
    addToast({
      ...doneToast('Image', image.name, 'created'),
      cta: { href: paths.projectImages(project), text: 'View images' },
    })
    await navigate({ href, ignoreBlocker: true })
  }
  const properties = [
    { label: 'Snapshot', value: snapshot.name },
    { label: 'Project', value: project },
    { label: 'Size', value: <Size bytes={snapshot.size} /> },
  ]
  return (
    <ResourceForm
      title="Create image from snapshot"
      submitLabel="Create image"
      form={form}
      onSubmit={create}
      onDismiss={() => void navigate({ href })}
      submitDisabledReason={lacks('collaborator') ?? imageRefusal(snapshot)}
    >
      <PropertiesTable columns={1} properties={properties} />
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
      <TextControl name="os" control={form.control} label="OS" required />
      <TextControl name="version" control={form.control} required />
    </ResourceForm>
  )
}
