import {
  samlIdentityProviderDelete,
  siloIdentityProviderList,
} from '@purlin/contract/operations/silos/identity-providers'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import { invalidate, load } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { paths } from '#/lib/addresses.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import { Button } from '#/ui/button/Button.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { loginPath } from './form.ts'
import { providerQuery } from './queries.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps/idps/saml/$provider')({
  ...formRoute('Identity provider'),
  loader: ({ params }) => load(providerQuery(params.silo, params.provider)),
  component: ViewProvider,
})

const unchanged = 'It is changed through the API.'

/** A field that shows its value. */
const Shown = ({ label, value, copyable }: { label: string; value: string; copyable?: true }) => (
  <TextField
    label={label}
    required
    value={value}
    onChange={() => undefined}
    disabledReason={unchanged}
    {...(copyable ? { copyable } : {})}
  />
)

function ViewProvider() {
  const { silo, provider } = Route.useParams()
  const one = useLoaded(providerQuery(silo, provider))
  const navigate = useNavigate()
  const close = () => navigate({ href: paths.siloTab(silo, 'idps') })
  const { metadata } = one
  return (
    <SideModal
      title="Identity provider"
      resource={{ icon: Fingerprint, name: one.name }}
      onDismiss={() => void close()}
      footer={
        <>
          <Button
            variant="danger"
            disabledReason={useSiloAdminReason(silo)}
            onClick={() => askToDelete({ silo, name: one.name }, close)}
          >
            Delete
          </Button>
          <Button onClick={() => void close()}>Close</Button>
        </>
      }
    >
      {metadata?.failure != null && (
        <Notice title="The metadata could not be read again">{metadata.failure}</Notice>
      )}
      <PropertiesTable
        columns={1}
        properties={[
          idProperty(one.id),
          { label: 'Created', value: <DateTime date={one.timeCreated} /> },
          { label: 'Updated', value: <DateTime date={one.timeModified} /> },
          { label: 'Sign-on address', value: <span className="wrap-anywhere">{metadata?.signOnUrl}</span> },
          { label: 'Metadata read', value: metadata && <DateTime date={metadata.timeRead} /> },
          ...(metadata?.certificates ?? []).map(({ subject, notAfter }) => ({
            label: 'Certificate',
            value: (
              <span className="wrap-anywhere">
                {subject}, until <DateTime date={notAfter} />
              </span>
            ),
          })),
          {
            label: 'For its administrator',
            value: (
              <TextLink
                href={`${loginPath(silo, one.name)}/metadata`}
                download={`${one.name}.xml`}
                target="_blank"
              >
                Metadata of this service
              </TextLink>
            ),
          },
        ]}
      />
      <Shown label="Name" value={one.name} />
      <Shown label="Description" value={one.description} />
      <Shown label="Technical contact email" value={one.technicalContactEmail} copyable />
      <h3 className="border-t border-line-faint pt-4 font-semibold">Service provider</h3>
      <Shown label="Service provider client ID" value={one.spClientId} copyable />
      <Shown label="ACS URL" value={one.acsUrl} copyable />
      <Shown label="Single Logout (SLO) URL" value={one.sloUrl} />
      <h3 className="border-t border-line-faint pt-4 font-semibold">Identity provider</h3>
      <Shown label="Entity ID" value={one.idpEntityId} copyable />
      <Shown label="Group attribute name" value={one.groupAttributeName ?? 'Not set'} />
    </SideModal>
  )
}

const askToDelete = ({ silo, name }: { silo: string; name: string }, close: () => Promise<void>) =>
  confirmAction({
    modalTitle: 'Delete identity provider',
    modalContent: (
      <p>
        Users can no longer sign in with <Highlight>{name}</Highlight>. Sessions that have begun stay.
      </p>
    ),
    errorTitle: 'Could not delete the identity provider',
    actionType: 'danger',
    doAction: async () => {
      await send(samlIdentityProviderDelete, { params: { provider: name }, query: { silo } })
      await close()
      await invalidate(siloIdentityProviderList)
      addToast({ content: `Identity provider ${name} deleted` })
    },
  })
