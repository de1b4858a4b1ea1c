import { createFileRoute, Outlet } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'
import { findSearch, markedSearch } from '#/resource/list/paging.ts'
import { RulesTable } from './RulesTable.tsx'
import { prefetchRules } from './queries.ts'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_firewall-rules',
)({
  validateSearch: (search) => ({ ...findSearch(search), ...markedSearch(search) }),
  loader: ({ params }) => prefetchRules(params),
  staticData: {
    isList: true,
    crumb: {
      label: 'Firewall Rules',
      to: (params) =>
        paths.vpcTab({ project: params['project'] ?? '', vpc: params['vpc'] ?? '' }, 'firewall-rules'),
    },
  },
  component: FirewallRules,
})

function FirewallRules() {
  const { find, marked } = Route.useSearch()
  return (
    <>
      <RulesTable target={Route.useParams()} find={find} marked={marked} />
      <Outlet />
    </>
  )
}
