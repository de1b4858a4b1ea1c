import { createFileRoute } from '@tanstack/react-router'
import { ChangeRole } from '#/features/access/roles/ChangeRole.tsx'
import { formRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_access/access/$identity/edit')({
  ...formRoute('Change role'),
  component: ChangeOnSilo,
})

function ChangeOnSilo() {
  const { silo, identity } = Route.useParams()
  return <ChangeRole place={{ level: 'silo', silo }} identity={identity} />
}
