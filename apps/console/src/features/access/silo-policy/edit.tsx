import { createFileRoute } from '@tanstack/react-router'
import { ChangeRole } from '#/features/access/roles/ChangeRole.tsx'
import { formRoute, fresh } from '#/resource/address/routeOptions.tsx'
import { loadPolicyToEdit } from '#/features/access/place.ts'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/_access/access/$identity/edit')({
  ...formRoute('Change role'),
  ...fresh,
  loader: ({ cause }) => loadPolicyToEdit(cause, { level: 'silo' }),
  component: ChangeOnSilo,
})

function ChangeOnSilo() {
  const { identity } = Route.useParams()
  return <ChangeRole place={{ level: 'silo' }} identity={identity} />
}
