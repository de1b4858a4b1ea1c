import { createFileRoute, Outlet, useRouterState } from '@tanstack/react-router'
import { MetricsTab } from './MetricsTab.tsx'
import { rangeSearch } from '#/features/metrics/range/range.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/metrics')({
  validateSearch: rangeSearch,
  staticData: { crumb: { label: 'Metrics' } },
  component: Metrics,
})

function Metrics() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <MetricsTab target={Route.useParams()} path={path}>
      <Outlet />
    </MetricsTab>
  )
}
