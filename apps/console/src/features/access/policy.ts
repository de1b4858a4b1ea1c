/** Changes of a policy, which is always replaced as a whole. */
import { limits } from '@purlin/contract/rules/limits'
import { strongest, type Role } from '@purlin/contract/rules/roles'
import { localTimeProblem } from '#/lib/input/localTime.ts'
import { isSame } from '#/api/rewrite.ts'
import {
  effectiveRole,
  ownPolicy,
  roleSources,
  type Assignment,
  type IdentityType,
  type Policies,
  type PolicyData,
} from './effectiveRole.ts'

/** Someone who can hold a role. */
export interface Identity {
  identityId: string
  identityType: IdentityType
}

/** The role assigned to an identity in this very policy. */
export const roleIn = (policy: PolicyData | undefined, identityId: string): Role | null =>
  strongest(
    (policy?.roleAssignments ?? [])
      .filter((one) => one.identityId === identityId)
      .map(({ roleName }) => roleName),
  )

/** The policy without any role of the identity. */
export const removeRole = ({ roleAssignments }: PolicyData, identityId: string): PolicyData => ({
  roleAssignments: roleAssignments.filter((one) => one.identityId !== identityId),
})

/** When the role that an identity has in this policy expires; null if never. */
export const expiryIn = (policy: PolicyData | undefined, identityId: string): Date | null =>
  (policy?.roleAssignments ?? []).find(
    (one) => one.identityId === identityId && one.roleName === roleIn(policy, identityId),
  )?.timeExpires ?? null

/** The policy with this role instead of any that the identity had. */
export const setRole = (policy: PolicyData, assignment: Assignment): PolicyData => ({
  roleAssignments: [...removeRole(policy, assignment.identityId).roleAssignments, assignment],
})

/** Why no user or group can be added to a policy, or undefined. */
export const fullReason = (policy: PolicyData | undefined): string | undefined =>
  policy && policy.roleAssignments.length >= limits.policy.assignments
    ? `A policy can have at most ${limits.policy.assignments} role assignments. Remove one, or give the role to a group.`
    : undefined

/** The change of one role: null removes it. */
export interface RoleChange extends Identity {
  /** The roles that the user saw before the change. */
  seen: Role | null
  roleName: Role | null
  /** When the role expires, null for never; absent keeps what it has. */
  timeExpires?: Date | null
}

const changedMeanwhile = (now: PolicyData, { identityId, identityType }: Identity): string => {
  const held = roleIn(now, identityId)
  const found = held === null ? 'no longer has a role here' : `now has the role ${held}`
  return `Another user changed this in the meantime: the ${identityType === 'silo_group' ? 'group' : 'user'} ${found}. Nothing was saved. Check the role and try again.`
}

/** The policy after a change, or in words why the change no longer makes sense. */
export function changed(now: PolicyData, change: RoleChange): PolicyData | string {
  const {
    identityId,
    identityType,
    seen,
    roleName,
    timeExpires = expiryIn(now, identityId) ?? undefined,
  } = change
  const held = roleIn(now, identityId)
  if (held !== seen) return changedMeanwhile(now, change)
  if (roleName === null) return removeRole(now, identityId)
  const full = held === null ? fullReason(now) : undefined
  return (
    full ??
    setRole(now, {
      identityId,
      identityType,
      roleName,
      ...(timeExpires === undefined ? {} : { timeExpires }),
    })
  )
}

const assignmentsOf = ({ roleAssignments }: PolicyData, id: string) =>
  roleAssignments.filter(({ identityId }) => identityId === id)

/** The policy with the roles that an identity had before a change, or in words why that no longer makes sense. */
export function restored(
  now: PolicyData,
  { before, after, of }: { before: PolicyData; after: PolicyData; of: Identity },
): PolicyData | string {
  const id = of.identityId
  if (!isSame(assignmentsOf(now, id), assignmentsOf(after, id))) return changedMeanwhile(now, of)
  const former = assignmentsOf(before, id)
  const others = removeRole(now, id).roleAssignments
  const full = others.length === now.roleAssignments.length && former.length > 0 ? fullReason(now) : undefined
  return full ?? { roleAssignments: [...others, ...former] }
}

/** Someone with the groups they are in. */
export interface Member {
  id: string
  groupIds: readonly string[]
}

const isAdmin = (policies: Policies, { id, groupIds }: Member): boolean =>
  effectiveRole(roleSources(policies, id, groupIds)) === 'admin'

/** Whether someone is an admin now and would not be after the change, which may be about a group of theirs. */
export function losesAdmin(policies: Policies, member: Member, change: RoleChange): boolean {
  const now = ownPolicy(policies)
  if (!now || !isAdmin(policies, member)) return false
  const { identityId, identityType, roleName } = change
  const next =
    roleName === null ? removeRole(now, identityId) : setRole(now, { identityId, identityType, roleName })
  return !isAdmin({ ...policies, [policies.level ?? 'project']: next }, member)
}

/** Why a text of a date field is no time at which something can expire. */
export function expiryProblem(text: string, now: number): string | undefined {
  const problem = localTimeProblem(text)
  if (text === '' || problem !== undefined) return problem
  return new Date(text).getTime() <= now ? 'Choose a time in the future' : undefined
}
