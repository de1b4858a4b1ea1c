import {
  siloQuotasUpdate,
  siloQuotasView,
  siloUtilizationView,
} from '@purlin/contract/operations/silos/system-silos'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { invalidate, loadToEdit, query } from '#/api/query.ts'
import { siloUseQuery } from '#/features/utilization/quota.ts'
import { useGuardedUpdate } from '#/resource/form/guardedUpdate.tsx'
import { fresh, formRoute } from '#/resource/address/routeOptions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { changedQuotas, QuotaControls, quotasOf, type Quotas } from './QuotaControls.tsx'
import { SiloForm } from './SiloForm.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/quotas/edit')({
  ...formRoute('Edit quotas'),
  ...fresh,
  loader: ({ params, cause }) => loadToEdit(cause, query(siloQuotasView, { params })),
  component: EditQuotas,
})

function EditQuotas() {
  const params = Route.useParams()
  const row = useLoaded(query(siloQuotasView, { params }))
  const { data: use } = useQuery(siloUseQuery(params.silo))
  const form = useForm<Quotas>({ defaultValues: quotasOf(row) })
  const target = { view: siloQuotasView, update: siloQuotasUpdate, args: { params } }
  const { save, request, notice } = useGuardedUpdate(target, { form, row, valuesOf: quotasOf })
  const saveAll = async (filled: Quotas) => {
    await save(changedQuotas(quotasOf(row), filled))
    void invalidate(siloQuotasView, siloUtilizationView)
  }
  return (
    <SiloForm
      title="Edit quotas"
      submitLabel="Update quotas"
      silo={params.silo}
      what="Quotas of silo"
      form={form}
      draft={{ form: 'siloQuotas', isChange: true }}
      save={saveAll}
      request={(filled) => request(changedQuotas(quotasOf(row), filled))}
    >
      {notice}
      <Notice>
        A quota may be lower than the present use: running instances are not affected, but nothing new can be
        created.
      </Notice>
      <QuotaControls control={form.control} use={use} />
    </SiloForm>
  )
}
