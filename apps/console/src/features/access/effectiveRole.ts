/** The effective role of a user or group on a project, and the assignments that give it. */
import type { Policy } from '@purlin/contract/operations/access/policies'
import { projectRoleOfSiloRole, roleRank, strongest, type Role } from '@purlin/contract/rules/roles'
import type { Out } from '@purlin/contract/schema'

export type PolicyData = Out<typeof Policy>
export type Assignment = PolicyData['roleAssignments'][number]
export type IdentityType = Assignment['identityType']

/** The resources that roles are assigned on. */
export type Level = 'fleet' | 'silo' | 'project'

/** One assignment that counts for someone. */
export interface RoleSource {
  level: Level
  /** As it was assigned there. */
  role: Role
  /** The role that it gives on the resource in question: a silo collaborator is a project admin. */
  means: Role
  /** Id of the group it was assigned to; absent if it was assigned to the identity itself. */
  group?: string
  /** When it expires, if it does. */
  until?: Date
}

/** The policies that apply to a project, or to `level`; a policy that may not be read is undefined. */
export interface Policies {
  level?: Level
  fleet?: PolicyData | undefined
  silo: PolicyData | undefined
  project: PolicyData | undefined
}

/** The policy of the resource in question. */
export const ownPolicy = (policies: Policies): PolicyData | undefined => policies[policies.level ?? 'project']

// Inherited roles come first.
const applying: Record<Level, readonly Level[]> = {
  fleet: ['fleet'],
  silo: ['silo'],
  project: ['silo', 'project'],
}

function sourcesOf(policies: Policies, identityId: string): RoleSource[] {
  const { level: asked = 'project' } = policies
  return applying[asked].flatMap((level) =>
    (policies[level]?.roleAssignments ?? [])
      .filter((one) => one.identityId === identityId)
      .map(({ roleName: role, timeExpires }): RoleSource => ({
        level,
        role,
        means: level === asked ? role : (projectRoleOfSiloRole(role) ?? role),
        ...(timeExpires ? { until: timeExpires } : {}),
      })),
  )
}

/** Every assignment that counts for an identity in these groups: the strongest first, then its own, then what is inherited. */
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
