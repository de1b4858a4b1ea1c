import { createFileRoute } from '@tanstack/react-router'
import { AddRole } from '#/features/access/roles/AddRole.tsx'
import { formRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_access/access-new')({
  ...formRoute('Add user or group'),
  component: AddToSilo,
})

function AddToSilo() {
  const { silo } = Route.useParams()
  return <AddRole place={{ level: 'silo', silo }} />
}
