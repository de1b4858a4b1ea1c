import { currentUserSshKeyView } from '@purlin/contract/operations/session'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import KeyRound from 'lucide-react/icons/key-round'
import { load, query } from '../../../../api.ts'
import { PanelError } from '../../../../parts/PanelError.tsx'
import { paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/Button.tsx'
import { DateTime } from '../../../../ui/DateTime.tsx'
import { TextAreaField } from '../../../../ui/field/TextAreaField.tsx'
import { TextField } from '../../../../ui/field/TextField.tsx'
import { idProperty, PropertiesTable } from '../../../../ui/PropertiesTable.tsx'
import { SideModal } from '../../../../ui/SideModal.tsx'
import { Truncate } from '../../../../ui/Truncate.tsx'
import { keyFingerprint, keyParts } from './-keyParts.ts'

export const Route = createFileRoute('/_auth/settings/_ssh-keys/ssh-keys/$sshKey/edit')({
  loader: ({ params }) => load(query(currentUserSshKeyView, { params })),
  staticData: { crumb: { label: 'View SSH Key', titleOnly: true } },
  component: ViewSshKey,
  errorComponent: Failed,
})

function Failed({ error }: { error: unknown }) {
  return <PanelError error={error} href={paths.sshKeys} />
}

function ViewSshKey() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const { data: key } = useSuspenseQuery(query(currentUserSshKeyView, { params }))
  const close = () => void navigate({ href: paths.sshKeys })
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
  const fixed = { onChange: () => undefined, required: true }
  return (
    <SideModal
      title="View SSH key"
      resource={
        <>
          <KeyRound aria-hidden /> {key.name}
        </>
      }
      onDismiss={close}
      footer={<Button onClick={close}>Close</Button>}
    >
      <PropertiesTable columns={1} properties={properties} />
      <TextField
        {...fixed}
        label="Name"
        mono
        value={key.name}
        disabledReason="A key cannot be changed. Add another in its place."
      />
      <TextAreaField {...fixed} label="Description" rows={2} value={key.description} readOnly />
      <TextAreaField {...fixed} label="Public key" mono rows={6} value={key.publicKey} readOnly copyable />
    </SideModal>
  )
}
