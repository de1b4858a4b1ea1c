import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadRow, rowRoute } from '#/resource/address/routeOptions.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { TextAreaField } from '#/ui/field/TextAreaField.tsx'
import { descriptionProperty, idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { Expiry } from './Expiry.tsx'

export const Route = createFileRoute(
  '/_auth/_silo/_access-tabs/_certificates/certificates/$certificate/edit',
)({
  ...rowRoute(kinds.certificate, { label: 'View certificate' }),
  loader: ({ params }) => loadRow(kinds.certificate, params),
  component: ViewCertificate,
})

function ViewCertificate() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const { data: one } = useSuspenseQuery(viewQuery(kinds.certificate, params.certificate))
  const close = () => void navigate({ href: kinds.certificate.section.list() })
  const properties = [
    idProperty(one.id),
    descriptionProperty(one.description),
    { label: 'Host names', value: <span className="mono wrap-anywhere">{one.dnsNames?.join(', ')}</span> },
    { label: 'Subject', value: <span className="wrap-anywhere">{one.subject}</span> },
    { label: 'Issuer', value: <span className="wrap-anywhere">{one.issuer}</span> },
    { label: 'Valid from', value: one.notBefore && <DateTime date={one.notBefore} /> },
    { label: 'Expires', value: <Expiry notBefore={one.notBefore} notAfter={one.notAfter} /> },
    { label: 'Added', value: <DateTime date={one.timeCreated} /> },
  ]
  return (
    <SideModal
      title="View certificate"
      resource={{ icon: ShieldCheck, name: one.name }}
      onDismiss={close}
      footer={<Button onClick={close}>Close</Button>}
    >
      <PropertiesTable columns={1} properties={properties} />
      <TextAreaField
        label="Certificate"
        required
        hint="A certificate cannot be changed. Add a new one and delete this one."
        mono
        rows={8}
        readOnly
        value={one.cert}
        copyable
        onChange={() => undefined}
      />
    </SideModal>
  )
}
