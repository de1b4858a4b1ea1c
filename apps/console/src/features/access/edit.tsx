import { createFileRoute } from '@tanstack/react-router'
import { formRoute, fresh } from '#/resource/address/routeOptions.tsx'
import { loadPolicyToEdit } from './place.ts'
import { ChangeRole } from './roles/ChangeRole.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_access/access/$identity/edit')({
  ...formRoute('Change role'),
  ...fresh,
  loader: ({ params: { project }, cause }) => loadPolicyToEdit(cause, { level: 'project', project }),
  component: ChangeOnProject,
})

function ChangeOnProject() {
  const { project, identity } = Route.useParams()
  return <ChangeRole place={{ level: 'project', project }} identity={identity} />
}
