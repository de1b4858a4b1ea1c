import { oidcIdentityProviderCreate } from '@purlin/contract/operations/silos/oidc-providers'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { send } from '#/api/send.ts'
import { paths } from '#/lib/addresses.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { providersChanged } from '../queries.ts'
import { emptyOidc, oidcBody, type OidcForm } from './form.ts'
import { OidcControls } from './OidcControls.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps/idps-new/oidc')({
  ...formRoute('New identity provider'),
  component: CreateOidc,
})

function CreateOidc() {
  const { silo } = Route.useParams()
  const navigate = useNavigate()
  const form = useForm<OidcForm>({ defaultValues: emptyOidc })
  const close = () => navigate({ href: paths.siloTab(silo, 'idps'), ignoreBlocker: true })
  const submit = async (values: OidcForm) => {
    const { name } = await send(oidcIdentityProviderCreate, { query: { silo }, body: oidcBody(values) })
    void providersChanged()
    addToast({ content: `IdP ${name} created` })
    await close()
  }
  return (
    <ResourceForm
      title="Create OpenID Connect provider"
      submitLabel="Create provider"
      form={form}
      onSubmit={submit}
      onDismiss={() => void close()}
      submitDisabledReason={useSiloAdminReason(silo)}
    >
      <Notice>
        Users of this silo sign in with the provider. Its administrator registers the addresses below and
        gives you the client ID and secret.
      </Notice>
      <OidcControls silo={silo} form={form} />
    </ResourceForm>
  )
}
