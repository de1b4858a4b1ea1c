import { createFileRoute } from '@tanstack/react-router'
import { AddRole } from '#/features/access/roles/AddRole.tsx'
import { formRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/_access/access-new')({
  ...formRoute('Add user or group'),
  component: () => <AddRole place={{ level: 'silo' }} />,
})
