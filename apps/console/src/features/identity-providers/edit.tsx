import {
  samlIdentityProviderUpdate,
  samlIdentityProviderView,
} from '@purlin/contract/operations/silos/identity-providers'
import { createFileRoute } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { loadToEdit } from '#/api/query.ts'
import { fresh, formRoute } from '#/resource/address/routeOptions.tsx'
import { useGuardedUpdate } from '#/resource/form/guardedUpdate.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { EditProvider } from './EditProvider.tsx'
import { emptyProvider, providerChanges, standardAcsUrl, valuesOf, type ProviderForm } from './form.ts'
import { samlQuery } from './queries.ts'
import { SamlControls } from './SamlControls.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps/idps/saml/$provider/edit')({
  ...formRoute('Edit identity provider'),
  ...fresh,
  loader: ({ params, cause }) => loadToEdit(cause, samlQuery(params.silo, params.provider)),
  component: EditSaml,
})

function EditSaml() {
  const { silo, provider } = Route.useParams()
  const row = useLoaded(samlQuery(silo, provider))
  const form = useForm<ProviderForm>({
    defaultValues: {
      ...emptyProvider,
      ...valuesOf(row),
      hasStandardAcsUrl: row.acsUrl === standardAcsUrl(silo, row.name, window.location.hostname),
      source: 'keep',
      metadataUrl: row.metadata?.url ?? '',
    },
  })
  const target = {
    view: samlIdentityProviderView,
    update: samlIdentityProviderUpdate,
    args: { params: { provider: row.id }, query: {} },
  }
  const { save, request, notice } = useGuardedUpdate(target, { form, row, valuesOf })
  const changesOf = (values: ProviderForm) => {
    const standard = standardAcsUrl(silo, values.name, window.location.hostname)
    return providerChanges(values, values.hasStandardAcsUrl ? standard : values.acsUrl)
  }
  return (
    <EditProvider
      silo={silo}
      name={row.name}
      protocol="saml"
      form={form}
      store={async (values) => save(await changesOf(values))}
      request={async (values) => request(await changesOf(values))}
    >
      {notice}
      <SamlControls silo={silo} form={form} exists />
    </EditProvider>
  )
}
