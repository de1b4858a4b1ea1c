import { projectList, projectUpdate, projectView } from '@purlin/contract/operations/projects'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { invalidate, load, query, remember } from '../../../../api.ts'
import { send } from '../../../../send.ts'
import { PanelError } from '../../../../parts/PanelError.tsx'
import { useProjectRole } from '../../../../parts/access/useProjectRole.ts'
import { ResourceForm } from '../../../../parts/ResourceForm.tsx'
import { paths } from '../../../../paths.ts'
import { DateTime } from '../../../../ui/DateTime.tsx'
import { DescriptionControl } from '../../../../ui/form/DescriptionControl.tsx'
import { NameControl } from '../../../../ui/form/NameControl.tsx'
import { Highlight } from '../../../../ui/Highlight.tsx'
import { idProperty, PropertiesTable } from '../../../../ui/PropertiesTable.tsx'
import { addToast } from '../../../../ui/toast.ts'

export const Route = createFileRoute('/_auth/_silo/_projects/projects/$project/edit')({
  loader: ({ params }) => load(query(projectView, { params })),
  staticData: { crumb: { label: 'Edit project', titleOnly: true } },
  component: EditProject,
  errorComponent: Failed,
})

function Failed({ error }: { error: unknown }) {
  return <PanelError error={error} href={paths.projects} />
}

function EditProject() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const { lacks } = useProjectRole(params.project)
  const { data: project } = useSuspenseQuery(query(projectView, { params }))
  const form = useForm({ defaultValues: { name: project.name, description: project.description } })
  const update = async (body: { name: string; description: string }) => {
    const changed = await send(projectUpdate, { params, body })
    remember(projectView, { params: { project: changed.name } }, changed)
    void invalidate(projectList)
    addToast({
      content: (
        <>
          Project <Highlight>{changed.name}</Highlight> updated
        </>
      ),
    })
    await navigate({ href: paths.projects, ignoreBlocker: true })
  }
  return (
    <ResourceForm
      title="Edit project"
      submitLabel="Update project"
      form={form}
      onSubmit={update}
      onDismiss={() => void navigate({ href: paths.projects })}
      submitDisabledReason={lacks('admin')}
    >
      <PropertiesTable
        columns={1}
        properties={[
          idProperty(project.id),
          { label: 'Created', value: <DateTime date={project.timeCreated} /> },
          { label: 'Updated', value: <DateTime date={project.timeModified} /> },
        ]}
      />
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
    </ResourceForm>
  )
}
