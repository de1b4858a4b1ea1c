import { pageOf } from '#/resource/address/pageOf.ts'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { backTo, formRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute('/_auth/_silo/_projects/projects-new')({
  ...formRoute('New project'),
  validateSearch: backTo,
  component: CreateProject,
})

function CreateProject() {
  const navigate = useNavigate()
  const { back } = Route.useSearch()
  return (
    <CreateForm
      kind={kinds.project}
      values={{ name: '', description: '' }}
      onCreated={({ name }) => navigate({ href: back ?? pageOf('project', { name }), ignoreBlocker: true })}
    />
  )
}
