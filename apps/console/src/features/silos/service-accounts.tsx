import { createFileRoute } from '@tanstack/react-router'
import { AccountList } from '#/features/access/service-accounts/AccountList.tsx'
import { pagingSearch } from '#/resource/list/paging.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/service-accounts')({
  validateSearch: pagingSearch,
  staticData: { crumb: { label: 'Service accounts' } },
  component: ServiceAccountsTab,
})

function ServiceAccountsTab() {
  return <AccountList silo={Route.useParams().silo} isNamed />
}
