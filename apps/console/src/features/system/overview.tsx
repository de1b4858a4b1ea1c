import { createFileRoute } from '@tanstack/react-router'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import { prefetch } from '#/api/query.ts'
import { Changes } from '#/features/audit-log/Changes.tsx'
import { FleetCapacity } from '#/features/hardware/parts/FleetCapacity.tsx'
import { statusQuery } from '#/features/update/queries.ts'
import { capacityQuery } from '#/features/utilization/capacity.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { openIssues } from '#/shell/notices/openIssues.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { FleetAttention } from './overview/FleetAttention.tsx'
import { FleetInProgress } from './overview/FleetInProgress.tsx'
import { FleetRunningOut } from './overview/FleetRunningOut.tsx'
import { fleetChangesQuery, fleetQuery } from './overview/queries.ts'

export const Route = createFileRoute('/_auth/system/overview')({
  loader: () => prefetch(openIssues(), fleetQuery(), capacityQuery(), statusQuery(), fleetChangesQuery()),
  staticData: { crumb: { label: 'Overview', to: () => paths.systemOverview } },
  component: SystemOverview,
})

/** The state of the fleet in a few parts: attention, scarcity, work, capacity and changes. */
function SystemOverview() {
  return (
    <>
      <PageHeader icon={<LayoutDashboard />} title="Overview">
        <DocsPopover
          topic="the system"
          icon={<LayoutDashboard />}
          summary="What needs attention in the fleet, what runs out, what is in progress, and what operators changed."
          links={[guides.sleds, guides.alerts]}
        />
      </PageHeader>
      <div className="flex flex-col gap-6">
        <FleetAttention />
        <div className="grid gap-6 frame:grid-cols-2">
          <FleetRunningOut />
          <FleetInProgress />
        </div>
        <FleetCapacity />
        <Changes
          of={fleetChangesQuery()}
          none="Operators changed nothing in the last 30 days."
          footer={<TextLink href={paths.auditLog}>Audit log</TextLink>}
        />
      </div>
    </>
  )
}
