import { siloUtilizationView } from '@purlin/contract/operations/silos/system-silos'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { prefetch, query } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { QuotaBars } from '#/features/utilization/QuotaBars.tsx'
import { GuardedLink } from '#/resource/form/GuardedLink.tsx'
import { roleScope } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useRole } from '#/resource/role/useRole.ts'

const utilization = (silo: string) => ({
  ...query(siloUtilizationView, { params: { silo } }),
  throwOnError: false,
})

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/quotas')({
  loader: ({ params }) => prefetch(utilization(params.silo)),
  staticData: { crumb: { label: 'Quotas' } },
  component: QuotasTab,
})

/** The use of the silo's quotas. */
function QuotasTab() {
  const { silo } = Route.useParams()
  const { data, error, refetch } = useQuery(utilization(silo))
  const { lacks } = useRole(...roleScope(kinds.silo, {}))
  return (
    <>
      <div className="mb-3 flex justify-end">
        <GuardedLink href={paths.siloQuotasEdit(silo)} disabledReason={lacks('collaborator')}>
          Edit quotas
        </GuardedLink>
      </div>
      <QuotaBars
        use={data && { ...data, capacity: data.allocated }}
        error={error}
        retry={() => void refetch()}
      />
      <Outlet />
    </>
  )
}
