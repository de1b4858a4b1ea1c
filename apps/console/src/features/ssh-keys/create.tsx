import { createFileRoute } from '@tanstack/react-router'
import { SshKeyForm } from './SshKeyForm.tsx'
import { formRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute('/_auth/settings/_ssh-keys/ssh-keys-new')({
  ...formRoute('New SSH key'),
  component: () => <SshKeyForm />,
})
