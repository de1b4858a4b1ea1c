import { createFileRoute } from '@tanstack/react-router'
import { useChangeMarks } from '#/features/audit-log/useChangeMarks.ts'
import { fixedRange, rangeSearch } from '#/features/metrics/range/range.ts'
import { UsageCharts } from '#/features/metrics/usage/UsageCharts.tsx'
import { paths } from '#/lib/addresses.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { viewQuery } from '#/resource/kind.ts'
import { sled } from '../kinds.ts'

export const Route = createFileRoute('/_auth/system/inventory/_sled-pages/sleds/$sledId/metrics')({
  validateSearch: rangeSearch,
  staticData: { crumb: { label: 'Metrics' } },
  component: MetricsTab,
})

/** The resources that the sled uses, as its host has reported them every ten minutes, next to what it has. */
function MetricsTab() {
  const { sledId } = Route.useParams()
  const { capacity } = useLoaded(viewQuery(sled, sledId))
  const marks = useChangeMarks({
    resource: `sled:${sledId}`,
    all: `${paths.auditLog}?${new URLSearchParams({ object: sledId }).toString()}`,
    range: fixedRange(Route.useSearch()),
  })
  const limits = capacity && {
    cpus: capacity.threads.usable,
    memory: capacity.memory.usable,
    // Zero is a host that does not say how large its storage is.
    ...(capacity.storage.usable > 0 ? { storage: capacity.storage.usable } : {}),
  }
  return (
    <UsageCharts
      subject={{ level: 'sled', sled: sledId }}
      limits={limits}
      limitLabel="Usable now"
      marks={marks}
    />
  )
}
