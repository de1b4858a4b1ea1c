import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { viewQuery } from '#/resource/kind.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { sled, sledsQuery } from '../kinds.ts'
import { Evacuation, LastMoves } from '../maintenance/Evacuation.tsx'
import { MaintenancePlan } from '../maintenance/MaintenancePlan.tsx'
import { planQuery } from '../maintenance/queries.ts'

export const Route = createFileRoute('/_auth/system/inventory/_sled-pages/sleds/$sledId/maintenance')({
  loader: ({ params }) => prefetch(planQuery(params.sledId), sledsQuery()),
  staticData: { crumb: { label: 'Maintenance' } },
  component: MaintenanceTab,
})

const { icon: Icon } = sled

/** Taking the sled out: first the plan, then the progress, and giving it back. */
function MaintenanceTab() {
  const one = useLoaded(viewQuery(sled, Route.useParams().sledId))
  if (one.policy.kind === 'expunged')
    return (
      <EmptyState
        icon={<Icon />}
        title="Expunged"
        body="The sled is out of service for good: nothing runs on it."
      />
    )
  return one.maintenance ? (
    <Evacuation sled={one} maintenance={one.maintenance} />
  ) : (
    <div className="flex flex-col gap-8">
      <MaintenancePlan sled={one} />
      {one.maintenanceTaskId && <LastMoves taskId={one.maintenanceTaskId} />}
    </div>
  )
}
