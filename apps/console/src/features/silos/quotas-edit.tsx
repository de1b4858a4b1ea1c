import {
  siloQuotasUpdate,
  siloQuotasView,
  siloUtilizationView,
} from '@purlin/contract/operations/system-silos'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { invalidate, load, query } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { useGuardedUpdate } from '#/resource/guardedUpdate.tsx'
import { kinds, reload, roleScope } from '#/resource/kinds.ts'
import { ResourceForm } from '#/resource/ResourceForm.tsx'
import { formRoute } from '#/resource/routeOptions.tsx'
import { showDoneToast } from '#/resource/toasts.tsx'
import { useLoaded } from '#/resource/useLoaded.ts'
import { useRole } from '#/resource/useRole.ts'
import { Notice } from '#/ui/Notice.tsx'
import { QuotaControls, quotasOf, quotasToBody, type Quotas } from './QuotaControls.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/quotas/edit')({
  ...formRoute('Edit quotas'),
  loader: ({ params }) => load(query(siloQuotasView, { params })),
  component: EditQuotas,
})

function EditQuotas() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const { lacks } = useRole(...roleScope(kinds.silo, {}))
  const row = useLoaded(query(siloQuotasView, { params }))
  const form = useForm<Quotas>({ defaultValues: quotasOf(row) })
  const target = { view: siloQuotasView, update: siloQuotasUpdate, args: { params } }
  const { save, notice } = useGuardedUpdate(target, { form, row, valuesOf: quotasOf })
  const close = () => navigate({ href: paths.siloTab(params.silo, 'quotas'), ignoreBlocker: true })
  const submit = async (filled: Quotas) => {
    await save(quotasToBody(filled))
    void invalidate(siloQuotasView, siloUtilizationView)
    void reload(kinds.silo)
    showDoneToast('Quotas of silo', params.silo, 'updated')
    await close()
  }
  return (
    <ResourceForm
      title="Edit quotas"
      submitLabel="Update quotas"
      resource={{ icon: kinds.silo.icon, name: params.silo }}
      form={form}
      onSubmit={submit}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('collaborator')}
    >
      {notice}
      <Notice>
        A quota may be lower than what is used: what runs goes on, and nothing more can be started or made.
      </Notice>
      <QuotaControls control={form.control} />
    </ResourceForm>
  )
}
