import { capitalize } from '#/lib/text.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { MoreCell } from '#/ui/table/MoreCell.tsx'
import { RoleBadge } from '#/resource/list/StateBadge.tsx'
import type { Level } from '../effectiveRole.ts'
import type { AccessRow } from '../rows.ts'
import { sourceWords } from '../words.ts'

/** The roles assigned to the identity itself: the strongest, and the others behind '+N'. */
export function AssignedRoles({ own }: Pick<AccessRow, 'own'>) {
  return (
    <MoreCell
      title="Other roles"
      items={own.map(({ level, role }) => (
        <RoleBadge key={level} source={level} role={role} />
      ))}
    />
  )
}

/** The effective role of an identity, and its source. */
export function EffectiveRole({
  row: { effective, sources, own, otherSilo },
  nameOf,
  here,
}: {
  row: AccessRow
  nameOf: (id: string) => string
  here: Level
}) {
  const [assigned] = own
  // The members of a group of another silo cannot be read.
  if (effective === undefined && otherSilo && assigned)
    return <span className="text-secondary">At least {assigned.role}, perhaps more through a group</span>
  if (effective === undefined) return <Skeleton className="h-2.5 w-24 align-middle" />
  const [strongest] = sources ?? []
  if (!strongest || effective === null) return <Dash />
  return (
    <>
      {capitalize(effective)} <span className="text-secondary">{sourceWords(strongest, nameOf, here)}</span>
    </>
  )
}
