/** Roles and where they come from, in words. */
import { roles, type Role } from '@purlin/contract/rules/roles'
import { capitalize } from '#/lib/text.ts'
import {
  effectiveRole,
  roleSources,
  type IdentityType,
  type Policies,
  type RoleSource,
} from '#/resource/effectiveRole.ts'
import { removeRole } from './policy.ts'
import type { AccessRow } from './rows.ts'

const explained: Record<Role, string> = {
  admin: 'Full control, including access and deleting the project',
  collaborator: 'Create, change and delete everything in the project',
  viewer: 'View everything, change nothing',
}
/** The roles to choose from, weakest first, each with what it allows. */
export const roleOptions = roles
  .toReversed()
  .map((value) => ({ value, label: capitalize(value), description: explained[value] }))

export const identityWord: Record<IdentityType, string> = { silo_user: 'User', silo_group: 'Group' }

/** Where a role comes from: 'assigned here', 'through the silo', 'through {group}'. */
export function sourceWords({ level, group }: RoleSource, nameOf: (id: string) => string): string {
  if (group !== undefined) return `through ${nameOf(group)}`
  return level === 'silo' ? 'through the silo' : 'assigned here'
}

/** What is left to an identity once its role on the project is gone. `isSelf`: it is the reader. */
export function remainingWords(policies: Policies, row: AccessRow, isSelf = false): string {
  const { id, identityType, sources, name = id } = row
  const groups = (sources ?? []).flatMap(({ group }) => group ?? [])
  const project = policies.project && removeRole(policies.project, id)
  const left = effectiveRole(roleSources({ ...policies, project }, id, new Set(groups)))
  const isGroup = identityType === 'silo_group'
  const who = isGroup ? `The members of ${name}` : isSelf ? 'You' : name
  const keep = isGroup || isSelf ? 'keep' : 'keeps'
  if (left) return `${who} ${keep} the ${left} role on this project, through the silo or a group.`
  if (isGroup) return `${who} keep only roles assigned to them in other ways.`
  // Without the members of groups nothing final can be said.
  return sources === undefined
    ? `${who} ${keep} only roles through groups.`
    : `${who} will have no access to this project.`
}

/** Why the role chosen on the project may not be all that counts. */
export function inheritedWords(row: AccessRow | undefined, nameOf: (id: string) => string): string {
  const strongest = row?.sources?.find(({ level, group }) => level === 'silo' || group !== undefined)
  if (!row || !strongest)
    return 'Roles on the silo and of groups are inherited. If several roles apply, the strongest one counts.'
  return `${row.name ?? row.id} has the ${strongest.means} role here ${sourceWords(strongest, nameOf)} already. If several roles apply, the strongest one counts.`
}
