import { samlIdentityProviderCreate } from '@purlin/contract/operations/silos/identity-providers'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { send } from '#/api/send.ts'
import { paths } from '#/lib/addresses.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { emptyProvider, providerBody, standardAcsUrl, type ProviderForm } from './form.ts'
import { providersChanged } from './queries.ts'
import { SamlControls } from './SamlControls.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps/idps-new')({
  ...formRoute('New identity provider'),
  component: CreateProvider,
})

function CreateProvider() {
  const { silo } = Route.useParams()
  const navigate = useNavigate()
  const form = useForm<ProviderForm>({ defaultValues: emptyProvider })
  const close = () => navigate({ href: paths.siloTab(silo, 'idps'), ignoreBlocker: true })
  const submit = async (values: ProviderForm) => {
    const standard = standardAcsUrl(silo, values.name, window.location.hostname)
    const body = await providerBody(values, values.hasStandardAcsUrl ? standard : values.acsUrl)
    const { name } = await send(samlIdentityProviderCreate, { query: { silo }, body })
    void providersChanged()
    addToast({ content: `IdP ${name} created` })
    await close()
  }
  return (
    <ResourceForm
      title="Create identity provider"
      submitLabel="Create provider"
      form={form}
      onSubmit={submit}
      onDismiss={() => void close()}
      submitDisabledReason={useSiloAdminReason(silo)}
    >
      <Notice>
        Users of this silo sign in with the provider. Its administrator needs the client ID and the ACS URL.
      </Notice>
      <SamlControls silo={silo} form={form} />
    </ResourceForm>
  )
}
