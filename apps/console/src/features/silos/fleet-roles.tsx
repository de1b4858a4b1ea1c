import { roles } from '@purlin/contract/rules/roles'
import { createFileRoute } from '@tanstack/react-router'
import ArrowRight from 'lucide-react/icons/arrow-right'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { RoleBadge } from '#/resource/list/StateBadge.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/fleet-roles')({
  staticData: { crumb: { label: 'Fleet Roles' } },
  component: FleetRolesTab,
})

/** Which roles on the silo bring roles on the fleet. */
function FleetRolesTab() {
  const { silo } = Route.useParams()
  const { mappedFleetRoles } = useLoaded(viewQuery(kinds.silo, silo))
  const mapped = roles.filter((role) => (mappedFleetRoles[role]?.length ?? 0) > 0)
  if (mapped.length === 0)
    return (
      <EmptyState
        icon={<ShieldCheck />}
        title="Mapped fleet roles"
        body="No silo role grants a fleet role."
      />
    )
  return (
    <>
      <p className="mb-3 text-secondary">Who has a role on this silo has these roles on the fleet as well.</p>
      <ul className="max-w-xl divide-y divide-line-faint rounded-lg border border-line bg-raised">
        {mapped.map((role) => (
          <li key={role} className="flex flex-wrap items-center gap-3 px-4 py-3">
            <RoleBadge source="silo" role={role} />
            <ArrowRight size={14} aria-hidden className="text-tertiary" />
            <span className="sr-only">maps to</span>
            {mappedFleetRoles[role]?.map((given) => (
              <RoleBadge key={given} source="fleet" role={given} />
            ))}
          </li>
        ))}
      </ul>
    </>
  )
}
