import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { backTo, formRoute } from '#/resource/address/routeOptions.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { ImportForm } from './ImportForm.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_images/images-import')({
  ...formRoute('Import image'),
  validateSearch: backTo,
  component: ImportImage,
})

function ImportImage() {
  const { project } = Route.useParams()
  const { back = sections.image.list(project) } = Route.useSearch()
  const navigate = useNavigate()
  return (
    <ImportForm
      project={project}
      submitDisabledReason={useRole(project).lacks('collaborator')}
      onClose={() => void navigate({ href: back, ignoreBlocker: true })}
    />
  )
}
