import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import KeyRound from 'lucide-react/icons/key-round'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadRow, rowRoute } from '#/resource/address/routeOptions.tsx'
import { sections } from '#/lib/addresses.ts'
import { Button } from '#/ui/button/Button.tsx'
import { CopyButton } from '#/ui/button/CopyButton.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { TextAreaField } from '#/ui/field/TextAreaField.tsx'
import { descriptionProperty, idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
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
    descriptionProperty(key.description),
    { label: 'Type', value: <span className="mono">{type}</span> },
    {
      label: 'Fingerprint',
      value: (
        <span className="inline-flex items-start gap-1">
          <span className="mono wrap-anywhere">{keyFingerprint(key.publicKey)}</span>
          <CopyButton text={keyFingerprint(key.publicKey)} label="Copy fingerprint" />
        </span>
      ),
    },
    { label: 'Comment', value: comment },
    { label: 'Created', value: <DateTime date={key.timeCreated} /> },
    idProperty(key.id),
  ]
  return (
    <SideModal
      title="View SSH key"
      resource={{ icon: KeyRound, name: key.name }}
      onDismiss={close}
      footer={<Button onClick={close}>Close</Button>}
    >
      <PropertiesTable columns={1} properties={properties} />
      <TextAreaField
        label="Public key"
        required
        hint="A key cannot be changed. Add a new one instead."
        mono
        rows={6}
        readOnly
        value={key.publicKey}
        copyable
        onChange={() => undefined}
      />
    </SideModal>
  )
}
