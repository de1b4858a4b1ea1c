import { createFileRoute } from '@tanstack/react-router'
import { ChangeRole } from '#/features/access/roles/ChangeRole.tsx'
import { formRoute, fresh } from '#/resource/address/routeOptions.tsx'
import { loadPolicyToEdit } from '#/features/access/place.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_access/access/$identity/edit')({
  ...formRoute('Change role'),
  ...fresh,
  loader: ({ params: { silo }, cause }) => loadPolicyToEdit(cause, { level: 'silo', silo }),
  component: ChangeOnSilo,
})

function ChangeOnSilo() {
  const { silo, identity } = Route.useParams()
  return <ChangeRole place={{ level: 'silo', silo }} identity={identity} />
}
