/** Roles and where they come from, in words. */
import { roles, type Role } from '@purlin/contract/rules/roles'
import { capitalize } from '#/lib/text.ts'
import {
  effectiveRole,
  roleSources,
  ownPolicy,
  type IdentityType,
  type Level,
  type Policies,
  type RoleSource,
} from './effectiveRole.ts'
import { words } from './place.ts'
import { removeRole } from './policy.ts'
import type { AccessRow } from './rows.ts'

const explained: Record<Level, Record<Role, string>> = {
  project: {
    admin: 'Full control, including access and deleting the project',
    collaborator: 'Create, change and delete everything in the project',
    viewer: 'View everything, change nothing',
  },
  silo: {
    admin: 'Full control, including access, and admin of every project',
    collaborator: 'Create projects, change silo images, and admin of every project',
    viewer: 'View the silo and everything in its projects',
  },
  fleet: {
    admin: 'Full control of the system, including access to the fleet',
    collaborator: 'Create and change silos and their quotas, view the system',
    viewer: 'View the system and its silos, not what is in their projects',
  },
}
/** The roles to choose from, weakest first, each with what it allows. */
export const roleOptions = (level: Level) =>
  roles
    .toReversed()
    .map((value) => ({ value, label: capitalize(value), description: explained[level][value] }))

export const identityWord: Record<IdentityType, string> = { silo_user: 'User', silo_group: 'Group' }

/** Where a role comes from: 'assigned here', 'through the silo', 'through {group}'. */
export function sourceWords(
  { level, group }: RoleSource,
  nameOf: (id: string) => string,
  here: Level = 'project',
): string {
  if (group !== undefined) return `through ${nameOf(group)}`
  return level === here ? 'assigned here' : `through the ${level}`
}

/** The remaining access of an identity without its role here. `isSelf`: it is the reader. */
export function remainingWords(policies: Policies, row: AccessRow, isSelf = false): string {
  const { id, identityType, sources, name = id } = row
  const groups = (sources ?? []).flatMap(({ group }) => group ?? [])
  const { level = 'project' } = policies
  const { here } = words[level]
  const own = ownPolicy(policies)
  const left = effectiveRole(
    roleSources({ ...policies, [level]: own && removeRole(own, id) }, id, new Set(groups)),
  )
  const isGroup = identityType === 'silo_group'
  const who = isGroup ? `The members of ${name}` : isSelf ? 'You' : name
  const keep = isGroup || isSelf ? 'keep' : 'keeps'
  if (left)
    return `${who} ${keep} the ${left} role on ${here}, through ${level === 'project' ? 'the silo or a group' : 'a group'}.`
  if (isGroup) return `${who} keep only roles assigned to them in other ways.`
  // Without the members of groups nothing final can be said.
  return sources === undefined
    ? `${who} ${keep} only roles through groups.`
    : `${who} will have no ${level === 'project' ? 'access to' : 'role on'} ${here}.`
}

const general: Record<Level, string> = {
  project: 'Roles on the silo and of groups are inherited.',
  silo: 'A role of a group applies to its members, and roles on the silo to all of its projects.',
  fleet: 'A role of a group applies to its members. Roles on the fleet do not reach into silos.',
}

/** Why the role chosen may not be all that counts. */
export function inheritedWords(
  row: AccessRow | undefined,
  nameOf: (id: string) => string,
  here: Level = 'project',
): string {
  const strongest = row?.sources?.find(({ level, group }) => level !== here || group !== undefined)
  if (!row || !strongest) return `${general[here]} If several roles apply, the strongest one counts.`
  return `${row.name ?? row.id} has the ${strongest.means} role here ${sourceWords(strongest, nameOf, here)} already. If several roles apply, the strongest one counts.`
}
