import { createFileRoute } from '@tanstack/react-router'
import { load } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import { AccountList } from './AccountList.tsx'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/access/service-accounts')({
  validateSearch: pagingSearch,
  loader: () => load(ownQueries.me()),
  staticData: { crumb: { label: 'Service accounts', to: () => paths.serviceAccounts({}) } },
  component: ServiceAccounts,
})

function ServiceAccounts() {
  return <AccountList silo={useLoaded(ownQueries.me()).siloName} isNamed={false} />
}
