import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { InstancesOn, instancesOn } from '../parts/InstancesOn.tsx'

export const Route = createFileRoute('/_auth/system/inventory/_sled-pages/sleds/$sledId/instances')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => prefetch(instancesOn(params.sledId, deps)),
  staticData: { crumb: { label: 'Instances' } },
  component: InstancesTab,
})

function InstancesTab() {
  return <InstancesOn sledId={Route.useParams().sledId} search={Route.useSearch()} />
}
