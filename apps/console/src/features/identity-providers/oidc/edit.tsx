import {
  oidcIdentityProviderUpdate,
  oidcIdentityProviderView,
} from '@purlin/contract/operations/silos/oidc-providers'
import { createFileRoute } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { loadToEdit } from '#/api/query.ts'
import { fresh, formRoute } from '#/resource/address/routeOptions.tsx'
import { useGuardedUpdate } from '#/resource/form/guardedUpdate.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { EditProvider } from '../EditProvider.tsx'
import { oidcQuery } from '../queries.ts'
import { emptyOidc, oidcChanges, oidcValuesOf, type OidcForm } from './form.ts'
import { OidcControls } from './OidcControls.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps/idps/oidc/$provider/edit')({
  ...formRoute('Edit identity provider'),
  ...fresh,
  loader: ({ params, cause }) => loadToEdit(cause, oidcQuery(params.silo, params.provider)),
  component: EditOidc,
})

function EditOidc() {
  const { silo, provider } = Route.useParams()
  const row = useLoaded(oidcQuery(silo, provider))
  const form = useForm<OidcForm>({ defaultValues: { ...emptyOidc, ...oidcValuesOf(row) } })
  const target = {
    view: oidcIdentityProviderView,
    update: oidcIdentityProviderUpdate,
    args: { params: { provider: row.id }, query: {} },
  }
  const { save, request, notice } = useGuardedUpdate(target, { form, row, valuesOf: oidcValuesOf })
  return (
    <EditProvider
      silo={silo}
      name={row.name}
      protocol="oidc"
      form={form}
      store={(values) => save(oidcChanges(values, row))}
      request={(values) => request(oidcChanges(values, row))}
    >
      {notice}
      <OidcControls silo={silo} form={form} issuer={row.issuer} />
    </EditProvider>
  )
}
