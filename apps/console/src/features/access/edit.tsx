import { createFileRoute } from '@tanstack/react-router'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { ChangeRole } from './roles/ChangeRole.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_access/access/$identity/edit')({
  ...formRoute('Change role'),
  component: ChangeOnProject,
})

function ChangeOnProject() {
  const { project, identity } = Route.useParams()
  return <ChangeRole place={{ level: 'project', project }} identity={identity} />
}
