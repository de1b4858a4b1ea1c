import { oidcIdentityProviderDelete } from '@purlin/contract/operations/silos/oidc-providers'
import { createFileRoute } from '@tanstack/react-router'
import { load } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { ProviderView, Shown } from '../ProviderView.tsx'
import { oidcQuery } from '../queries.ts'
import { addressesFor } from './form.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps/idps/oidc/$provider')({
  ...formRoute('Identity provider'),
  loader: ({ params }) => load(oidcQuery(params.silo, params.provider)),
  component: ViewOidc,
})

function ViewOidc() {
  const { silo, provider } = Route.useParams()
  const one = useLoaded(oidcQuery(silo, provider))
  const { metadata, name } = one
  const { redirect, logout } = addressesFor(silo, name, window.location)
  return (
    <ProviderView
      silo={silo}
      provider={{ name, protocol: 'oidc' }}
      failure={metadata.failure}
      remove={requestTo(oidcIdentityProviderDelete, { params: { provider: name }, query: { silo } })}
    >
      <PropertiesTable
        columns={1}
        properties={[
          idProperty(one.id),
          { label: 'Created', value: <DateTime date={one.timeCreated} /> },
          { label: 'Updated', value: <DateTime date={one.timeModified} /> },
          { label: 'Sign-on address', value: <span className="wrap-anywhere">{metadata.signOnUrl}</span> },
          { label: 'Metadata read', value: <DateTime date={metadata.timeRead} /> },
        ]}
      />
      <Shown label="Name" value={name} />
      <Shown label="Description" value={one.description} />
      <h3 className="border-t border-line-faint pt-4 font-semibold">For its administrator</h3>
      <Shown label="Redirect URI" value={redirect} copyable />
      <Shown label="Back-channel logout URI" value={logout} copyable />
      <h3 className="border-t border-line-faint pt-4 font-semibold">Identity provider</h3>
      <Shown label="Issuer" value={one.issuer} copyable />
      <Shown label="Client ID" value={one.clientId} copyable />
      <Shown label="Scopes" value={one.scopes.join(' ')} />
      <h3 className="border-t border-line-faint pt-4 font-semibold">Users</h3>
      <Shown label="Name claim" value={one.nameClaim} />
      <Shown label="Groups claim" value={one.groupsClaim ?? 'Not set'} />
    </ProviderView>
  )
}
