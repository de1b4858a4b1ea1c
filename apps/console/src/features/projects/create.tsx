import { pageOf } from '#/resource/address/pageOf.ts'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute('/_auth/_silo/_projects/projects-new')({
  ...formRoute('New project'),
  component: CreateProject,
})

function CreateProject() {
  const navigate = useNavigate()
  return (
    <CreateForm
      kind={kinds.project}
      values={{ name: '', description: '' }}
      onCreated={({ name }) => navigate({ href: pageOf('project', { name }), ignoreBlocker: true })}
    />
  )
}
