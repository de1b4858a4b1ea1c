import { createFileRoute, Outlet } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { markedSearch } from '#/resource/paging.ts'
import { RulesTable } from './RulesTable.tsx'
import { rulesQuery } from './queries.ts'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_firewall-rules',
)({
  validateSearch: markedSearch,
  loader: ({ params }) => prefetch(rulesQuery(params)),
  staticData: {
    isList: true,
    crumb: {
      label: 'Firewall Rules',
      titleOnly: true,
      to: (params) =>
        paths.vpcTab({ project: params['project'] ?? '', vpc: params['vpc'] ?? '' }, 'firewall-rules'),
    },
  },
  component: FirewallRules,
})

function FirewallRules() {
  return (
    <>
      <RulesTable target={Route.useParams()} marked={Route.useSearch().marked} />
      <Outlet />
    </>
  )
}
