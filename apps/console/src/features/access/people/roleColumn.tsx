import type { Role } from '@purlin/contract/rules/roles'
import { Badge } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import type { PolicyData } from '../effectiveRole.ts'
import { roleIn } from '../policy.ts'

/** The roles of a policy, by the id of the user or group that it is assigned to. */
export function rolesIn(policy: PolicyData | undefined): ReadonlyMap<string, Role | null> {
  const ids = policy?.roleAssignments.map(({ identityId }) => identityId) ?? []
  return new Map(ids.map((id) => [id, roleIn(policy, id)]))
}

/** The role that a user or group has itself on a silo. */
export const roleColumn = (roles: ReadonlyMap<string, Role | null>) => ({
  id: 'role',
  header: 'role',
  order: 'role',
  tip: 'Assigned on the silo. Roles on projects and roles through groups are on the page of each.',
  cell: ({ id }: { id: string }) => {
    const role = roles.get(id)
    return role ? <Badge>{role}</Badge> : <Dash />
  },
})
