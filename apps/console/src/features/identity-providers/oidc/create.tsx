import { oidcIdentityProviderCreate } from '@purlin/contract/operations/silos/oidc-providers'
import { createFileRoute } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { requestTo } from '#/api/request.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { CreateProvider } from '../CreateProvider.tsx'
import { emptyOidc, oidcBody, type OidcForm } from './form.ts'
import { OidcControls } from './OidcControls.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps/idps-new/oidc')({
  ...formRoute('New identity provider'),
  component: CreateOidc,
})

function CreateOidc() {
  const { silo } = Route.useParams()
  const form = useForm<OidcForm>({ defaultValues: emptyOidc })
  return (
    <CreateProvider
      silo={silo}
      title="Create OpenID Connect provider"
      needs="Its administrator registers the addresses below and gives you the client ID and secret."
      form={form}
      draft="oidcProvider"
      request={(values) => requestTo(oidcIdentityProviderCreate, { query: { silo }, body: oidcBody(values) })}
    >
      <OidcControls silo={silo} form={form} />
    </CreateProvider>
  )
}
