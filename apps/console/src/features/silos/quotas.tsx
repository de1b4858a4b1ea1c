import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { siloUseQuery } from '#/features/utilization/quota.ts'
import { QuotaBars } from '#/features/utilization/QuotaBars.tsx'
import { GuardedLink } from '#/resource/form/GuardedLink.tsx'
import { roleScope } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useRole } from '#/resource/role/useRole.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/quotas')({
  loader: ({ params }) => prefetch(siloUseQuery(params.silo)),
  staticData: { crumb: { label: 'Quotas' } },
  component: QuotasTab,
})

/** The use of the silo's quotas. */
function QuotasTab() {
  const { silo } = Route.useParams()
  const { data, error, refetch } = useQuery(siloUseQuery(silo))
  const { lacks } = useRole(...roleScope(kinds.silo, {}))
  return (
    <>
      <div className="mb-3 flex justify-end">
        <GuardedLink href={paths.siloQuotasEdit(silo)} disabledReason={lacks('collaborator')}>
          Edit quotas
        </GuardedLink>
      </div>
      <QuotaBars use={data} error={error} retry={() => void refetch()} />
      <Outlet />
    </>
  )
}
