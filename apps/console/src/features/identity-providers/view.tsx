import { samlIdentityProviderDelete } from '@purlin/contract/operations/silos/identity-providers'
import { createFileRoute } from '@tanstack/react-router'
import { load } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { loginPath } from './form.ts'
import { ProviderView, Shown } from './ProviderView.tsx'
import { samlQuery } from './queries.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps/idps/saml/$provider')({
  ...formRoute('Identity provider'),
  loader: ({ params }) => load(samlQuery(params.silo, params.provider)),
  component: ViewProvider,
})

function ViewProvider() {
  const { silo, provider } = Route.useParams()
  const one = useLoaded(samlQuery(silo, provider))
  const { metadata, name } = one
  return (
    <ProviderView
      silo={silo}
      provider={{ name, protocol: 'saml' }}
      failure={metadata?.failure}
      remove={requestTo(samlIdentityProviderDelete, { params: { provider: name }, query: { silo } })}
    >
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
    </ProviderView>
  )
}
