import { createFileRoute } from '@tanstack/react-router'
import { ChangeRole } from '#/features/access/roles/ChangeRole.tsx'
import { formRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute('/_auth/system/_access/access/$identity/edit')({
  ...formRoute('Change role'),
  component: ChangeOnFleet,
})

function ChangeOnFleet() {
  const { identity } = Route.useParams()
  return <ChangeRole place={{ level: 'fleet' }} identity={identity} />
}
