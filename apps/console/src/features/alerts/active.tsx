import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { AlertTable, alertsQuery } from './AlertTable.tsx'

export const Route = createFileRoute('/_auth/system/alerts/_tabs/active')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(alertsQuery('active', deps)),
  staticData: { crumb: { label: 'Active', to: () => paths.activeAlerts } },
  component: ActiveAlerts,
})

function ActiveAlerts() {
  return <AlertTable state="active" search={Route.useSearch()} />
}
