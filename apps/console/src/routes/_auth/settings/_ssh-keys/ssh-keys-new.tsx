import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { SshKeyForm } from '../../../../parts/ssh-key/SshKeyForm.tsx'
import { paths } from '../../../../paths.ts'

export const Route = createFileRoute('/_auth/settings/_ssh-keys/ssh-keys-new')({
  staticData: { crumb: { label: 'New SSH key', titleOnly: true } },
  component: AddSshKey,
})

function AddSshKey() {
  const navigate = useNavigate()
  const close = () => navigate({ href: paths.sshKeys, ignoreBlocker: true })
  return <SshKeyForm onCreated={close} onDismiss={() => void close()} />
}
