import { samlIdentityProviderCreate } from '@purlin/contract/operations/silos/identity-providers'
import { createFileRoute } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { requestTo } from '#/api/request.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { CreateProvider } from './CreateProvider.tsx'
import { emptyProvider, providerBody, standardAcsUrl, type ProviderForm } from './form.ts'
import { SamlControls } from './SamlControls.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps/idps-new')({
  ...formRoute('New identity provider'),
  component: CreateSaml,
})

function CreateSaml() {
  const { silo } = Route.useParams()
  const form = useForm<ProviderForm>({ defaultValues: emptyProvider })
  const request = async (values: ProviderForm) => {
    const standard = standardAcsUrl(silo, values.name, window.location.hostname)
    const body = await providerBody(values, values.hasStandardAcsUrl ? standard : values.acsUrl)
    return requestTo(samlIdentityProviderCreate, { query: { silo }, body })
  }
  return (
    <CreateProvider
      silo={silo}
      title="Create identity provider"
      needs="Its administrator needs the client ID and the ACS URL."
      form={form}
      draft="samlProvider"
      request={request}
    >
      <SamlControls silo={silo} form={form} />
    </CreateProvider>
  )
}
