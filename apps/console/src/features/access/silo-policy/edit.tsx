import { createFileRoute } from '@tanstack/react-router'
import { ChangeRole } from '#/features/access/roles/ChangeRole.tsx'
import { formRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/_access/access/$identity/edit')({
  ...formRoute('Change role'),
  component: ChangeOnSilo,
})

function ChangeOnSilo() {
  const { identity } = Route.useParams()
  return <ChangeRole place={{ level: 'silo' }} identity={identity} />
}
