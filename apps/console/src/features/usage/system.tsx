import { usagePricesUpdate } from '@purlin/contract/operations/metrics/usage'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'
import { useQuickActions } from '#/resource/actions/quickActions.ts'
import { GuardedLink } from '#/resource/form/GuardedLink.tsx'
import { roleFor } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Report } from './Report.tsx'
import { prefetchReport } from './report.ts'
import { reportSearch, type Subject } from './search.ts'
import { SiloChoice } from './SiloChoice.tsx'

const subjectOf = ({ silo }: { silo?: string }): Subject => ({
  level: 'fleet',
  ...(silo === undefined ? {} : { silo }),
})

export const Route = createFileRoute('/_auth/system/usage')({
  validateSearch: reportSearch('fleet'),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetchReport(subjectOf(deps), deps),
  staticData: { crumb: { label: 'Usage', to: () => paths.systemUsage } },
  component: SystemUsage,
})

function SystemUsage() {
  const { lacks } = useRole(undefined, 'fleet')
  const search = Route.useSearch()
  const disabledReason = lacks(roleFor(usagePricesUpdate) ?? 'admin')
  const editPrices = { label: 'Edit prices', href: paths.usagePrices }
  useQuickActions(disabledReason ? [] : [{ ...editPrices, group: 'Actions' }])
  return (
    <>
      <Report
        subject={subjectOf(search)}
        choice={<SiloChoice search={search} />}
        actions={
          <GuardedLink href={editPrices.href} disabledReason={disabledReason}>
            {editPrices.label}
          </GuardedLink>
        }
      />
      <Outlet />
    </>
  )
}
