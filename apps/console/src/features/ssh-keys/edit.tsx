import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import KeyRound from 'lucide-react/icons/key-round'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadRow, rowRoute } from '#/resource/address/routeOptions.tsx'
import { sections } from '#/lib/addresses.ts'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { TextAreaField } from '#/ui/field/TextAreaField.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { keyFingerprint, keyParts } from './keyParts.ts'

export const Route = createFileRoute('/_auth/settings/_ssh-keys/ssh-keys/$sshKey/edit')({
  ...rowRoute(kinds.sshKey, { label: 'View SSH Key' }),
  loader: ({ params }) => loadRow(kinds.sshKey, params),
  component: ViewSshKey,
})

function ViewSshKey() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const { data: key } = useSuspenseQuery(viewQuery(kinds.sshKey, params.sshKey))
  const close = () => void navigate({ href: sections.sshKey.list() })
  const { type, comment } = keyParts(key.publicKey)
  const properties = [
    idProperty(key.id),
    { label: 'Type', value: <span className="mono">{type}</span> },
    {
      label: 'Fingerprint',
      value: <Truncate text={keyFingerprint(key.publicKey)} copyable className="mono" />,
    },
    { label: 'Comment', value: comment },
    { label: 'Created', value: <DateTime date={key.timeCreated} /> },
    { label: 'Updated', value: <DateTime date={key.timeModified} /> },
  ]
  const fixed = {
    onChange: () => undefined,
    required: true,
    disabledReason: 'A key cannot be changed. Add a new key instead.',
  }
  return (
    <SideModal
      title="View SSH key"
      resource={{ icon: KeyRound, name: key.name }}
      onDismiss={close}
      footer={<Button onClick={close}>Close</Button>}
    >
      <PropertiesTable columns={1} properties={properties} />
      <TextField {...fixed} label="Name" mono value={key.name} />
      <TextAreaField {...fixed} label="Description" rows={2} value={key.description} />
      <TextAreaField {...fixed} label="Public key" mono rows={6} value={key.publicKey} copyable />
    </SideModal>
  )
}
