import { sledMaintenanceStart } from '@purlin/contract/operations/hardware/hardware'
import { countOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import Wrench from 'lucide-react/icons/wrench'
import { useState } from 'react'
import { failure } from '#/api/errors.ts'
import { roleFor, roleScope } from '#/resource/kind.ts'
import { InstanceStateBadge } from '#/resource/list/StateBadge.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { sled as sledKind, sledsQuery, type Sled } from '../kinds.ts'
import { HardwareLink } from '../parts/columns.tsx'
import { InstanceName, Specs } from '../parts/InstancesOn.tsx'
import { planQuery, type PlannedMove } from './queries.ts'
import { StartMaintenance } from './StartMaintenance.tsx'

/** Before maintenance: where each instance would go, and the button that begins it. */
export function MaintenancePlan({ sled }: { sled: Sled }) {
  const { data: plan, error, refetch } = useQuery(planQuery(sled.id))
  const [isAsking, setAsking] = useState(false)
  const { lacks } = useRole(...roleScope(sledKind, {}))
  const role = roleFor(sledMaintenanceStart)
  const stuck = plan?.filter(({ to }) => to === null).length ?? 0
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="max-w-2xl">
          <p className="text-secondary">
            Maintenance closes the sled for new instances and moves those on it to other sleds while they run.
          </p>
          {plan && plan.length > 0 && <PlanSummary moving={plan.length - stuck} stuck={stuck} />}
        </div>
        <Button
          variant="primary"
          disabledReason={(role && lacks(role)) ?? (plan ? undefined : 'The plan is not known yet')}
          onClick={() => setAsking(true)}
        >
          <Wrench size={14} aria-hidden />
          Start maintenance
        </Button>
      </div>
      {error && !plan ? (
        <div className="flex flex-col items-start gap-3">
          <FormErrorBanner issues={[failure(error)]} />
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      ) : plan?.length === 0 ? (
        <EmptyState icon={<Wrench />} title="Nothing to move" body="No instance runs on this sled now." />
      ) : (
        <PlanTable plan={plan} />
      )}
      {isAsking && <StartMaintenance sled={sled} stuck={stuck} onDismiss={() => setAsking(false)} />}
    </div>
  )
}

const PlanSummary = ({ moving, stuck }: { moving: number; stuck: number }) => (
  <p className="mt-1">
    {countOf(moving, 'instance')} would move now
    {stuck > 0 && `, ${countOf(stuck, 'instance')} would not`}.
  </p>
)

/** The plan; undefined while it is loading. */
function PlanTable({ plan }: { plan: readonly PlannedMove[] | undefined }) {
  const sleds = useQuery({ ...sledsQuery(), throwOnError: false }).data
  const columns: readonly Column<PlannedMove>[] = [
    { id: 'name', header: 'name', cell: (row) => <InstanceName row={row} /> },
    { id: 'state', header: 'state', cell: ({ state }) => <InstanceStateBadge state={state} /> },
    { id: 'specs', header: 'specs', cell: (row) => <Specs {...row} /> },
    {
      id: 'to',
      header: 'goes to',
      cell: ({ to, reason }) =>
        to === null ? (
          <span className="flex flex-wrap items-center gap-2 py-2 whitespace-normal">
            <Badge tone="busy" pulsing={false}>
              cannot move
            </Badge>
            {reason}
          </span>
        ) : (
          <HardwareLink kind="sled" id={to} label={sleds?.find(({ id }) => id === to)?.baseboard.serial} />
        ),
    },
  ]
  return (
    <Table
      label="Plan"
      columns={columns}
      rows={plan ?? []}
      skeletonRows={plan ? 0 : 6}
      rowKey={({ id }) => id}
    />
  )
}
