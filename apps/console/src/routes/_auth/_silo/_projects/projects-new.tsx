import { projectCreate, projectList, projectView } from '@purlin/contract/operations/projects'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { invalidate, remember } from '../../../../api.ts'
import { send } from '../../../../send.ts'
import { useSiloRole } from '../../../../parts/access/useProjectRole.ts'
import { ResourceForm } from '../../../../parts/ResourceForm.tsx'
import { paths } from '../../../../paths.ts'
import { DescriptionControl } from '../../../../ui/form/DescriptionControl.tsx'
import { NameControl } from '../../../../ui/form/NameControl.tsx'
import { Highlight } from '../../../../ui/Highlight.tsx'
import { addToast } from '../../../../ui/toast.ts'

export const Route = createFileRoute('/_auth/_silo/_projects/projects-new')({
  staticData: { crumb: { label: 'New project', titleOnly: true } },
  component: CreateProject,
})

function CreateProject() {
  const navigate = useNavigate()
  const { lacks } = useSiloRole()
  const form = useForm({ defaultValues: { name: '', description: '' } })
  const create = async (body: { name: string; description: string }) => {
    const project = await send(projectCreate, { body })
    remember(projectView, { params: { project: project.name } }, project)
    void invalidate(projectList)
    addToast({
      content: (
        <>
          Project <Highlight>{project.name}</Highlight> created
        </>
      ),
    })
    await navigate({ href: paths.instances(project.name), ignoreBlocker: true })
  }
  return (
    <ResourceForm
      title="Create project"
      form={form}
      onSubmit={create}
      onDismiss={() => void navigate({ href: paths.projects })}
      submitDisabledReason={lacks('collaborator')}
    >
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
    </ResourceForm>
  )
}
