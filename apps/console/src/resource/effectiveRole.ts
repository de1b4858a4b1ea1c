/** What a person or group may do on a project, and which assignments that comes from. */
import type { Policy } from '@purlin/contract/operations/policies'
import { projectRoleOfSiloRole, roleRank, strongest, type Role } from '@purlin/contract/rules/roles'
import type { Out } from '@purlin/contract/schema'

export type PolicyData = Out<typeof Policy>
export type Assignment = PolicyData['roleAssignments'][number]
export type IdentityType = Assignment['identityType']

/** One assignment that counts for someone. */
export interface RoleSource {
  level: 'silo' | 'project'
  /** As it was assigned there. */
  role: Role
  /** The project role that it confers: a silo collaborator is a project admin. */
  means: Role
  /** Id of the group it was assigned to; absent if it was assigned to the identity itself. */
  group?: string
}

/** The policies that apply to a project; a policy that may not be read is undefined. */
export interface Policies {
  silo: PolicyData | undefined
  project: PolicyData | undefined
}

function sourcesOf({ silo, project }: Policies, identityId: string): RoleSource[] {
  const of = (policy: PolicyData | undefined) =>
    (policy?.roleAssignments ?? []).filter((one) => one.identityId === identityId)
  return [
    ...of(silo).map(({ roleName: role }): RoleSource => ({
      level: 'silo',
      role,
      means: projectRoleOfSiloRole(role) ?? role,
    })),
    ...of(project).map(({ roleName: role }): RoleSource => ({ level: 'project', role, means: role })),
  ]
}

/** Every assignment that counts for an identity in these groups: strongest on the project first, then its own, then the silo's. */
export function roleSources(
  policies: Policies,
  identityId: string,
  groupIds: Iterable<string> = [],
): RoleSource[] {
  const own = sourcesOf(policies, identityId)
  const throughGroups = [...groupIds].flatMap((group) =>
    sourcesOf(policies, group).map((source) => ({ ...source, group })),
  )
  // The sort is stable, so equal roles keep the order above.
  return [...own, ...throughGroups].toSorted((a, b) => roleRank(a.means) - roleRank(b.means))
}

/** The strongest role that the sources confer on the project, or null. */
export const effectiveRole = (sources: readonly RoleSource[]): Role | null =>
  strongest(sources.map(({ means }) => means))

/**
 * The role on the fleet as far as it shows: those who may not change their own silo are neither collaborator nor admin
 * of the fleet. Of others it is not known.
 */
export function fleetRole(me: { fleetViewer: boolean; siloAdmin: boolean }): Role | null | undefined {
  if (!me.fleetViewer) return null
  return me.siloAdmin ? undefined : 'viewer'
}
