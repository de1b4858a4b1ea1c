import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { createResource } from '#/resource/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/routeOptions.tsx'
import { useProjectRole } from '#/resource/useRole.ts'
import type { DiskBody } from './body.ts'
import { DiskForm } from './DiskForm.tsx'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_disks/disks-new')({
  ...formRoute('New disk'),
  component: CreateDisk,
})

function CreateDisk() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const { lacks } = useProjectRole(project)
  const close = () => navigate({ href: sections.disk.list(project), ignoreBlocker: true })
  const create = async (body: DiskBody) => {
    await createResource(kinds.disk, { scope: { project }, body })
    await close()
  }
  return (
    <DiskForm
      project={project}
      onSubmit={create}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('collaborator')}
    />
  )
}
