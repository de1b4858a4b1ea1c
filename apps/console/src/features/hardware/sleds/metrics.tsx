import { createFileRoute } from '@tanstack/react-router'
import { UsageCharts } from '#/features/metrics/usage/UsageCharts.tsx'

export const Route = createFileRoute('/_auth/system/inventory/_sled-pages/sleds/$sledId/metrics')({
  staticData: { crumb: { label: 'Metrics' } },
  component: MetricsTab,
})

/** The resources that the sled uses, as its host has reported them every ten minutes. */
function MetricsTab() {
  return <UsageCharts subject={{ level: 'sled', sled: Route.useParams().sledId }} />
}
