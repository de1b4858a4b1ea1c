import { createFileRoute } from '@tanstack/react-router'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { AddRole } from './roles/AddRole.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_access/access-new')({
  ...formRoute('Add user or group'),
  component: AddToProject,
})

function AddToProject() {
  const { project } = Route.useParams()
  return <AddRole place={{ level: 'project', project }} />
}
