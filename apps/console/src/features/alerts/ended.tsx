import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { AlertTable, alertsQuery } from './AlertTable.tsx'

export const Route = createFileRoute('/_auth/system/alerts/_tabs/ended')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(alertsQuery('ended', deps)),
  staticData: { crumb: { label: 'Ended', to: () => paths.endedAlerts } },
  component: EndedAlerts,
})

function EndedAlerts() {
  return <AlertTable state="ended" search={Route.useSearch()} />
}
