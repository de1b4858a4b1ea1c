import { createFileRoute, Outlet } from '@tanstack/react-router'
import { MetricsTab } from './MetricsTab.tsx'
import { rangeSearch } from '#/features/metrics/range/range.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/metrics')({
  validateSearch: rangeSearch,
  staticData: { crumb: { label: 'Metrics' } },
  component: Metrics,
})

function Metrics() {
  return (
    <MetricsTab target={Route.useParams()}>
      <Outlet />
    </MetricsTab>
  )
}
