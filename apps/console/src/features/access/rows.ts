/** The table of roles: assignments that apply, joined by identity. */
import type { Role } from '@purlin/contract/rules/roles'
import {
  effectiveRole,
  ownPolicy,
  roleSources,
  type IdentityType,
  type Policies,
  type RoleSource,
} from './effectiveRole.ts'
import { expiryIn, roleIn } from './policy.ts'

/** One user or group with a role here or on what is above. */
export interface AccessRow {
  id: string
  identityType: IdentityType
  /** Undefined for an identity that is not, or no longer, known by name. */
  name: string | undefined
  /** The silo that it is of, if that is not the reader's. */
  otherSilo: string | undefined
  /** No user or group has this id any more. */
  isGone: boolean
  /** Assigned to the identity itself, strongest on the project first. */
  own: RoleSource[]
  /** All that counts, groups included. Undefined as long as the groups' members are not known. */
  sources: RoleSource[] | undefined
  /** The combined effect of the sources. */
  effective: Role | null | undefined
  /** The role that can be changed or removed here, and when it expires. */
  ownRole: Role | null
  expires: Date | null
}

export interface AccessFacts {
  policies: Policies
  /** Display names by identity id. */
  names: ReadonlyMap<string, string>
  /** The silos, by identity id, of those that are of another silo than the reader. */
  otherSilos?: ReadonlyMap<string, string>
  /** All identities of the policies have been looked up: who has no name is gone. */
  isComplete?: boolean
  /** User ids by group id, of every group with a role; undefined as long as one is missing. */
  members: ReadonlyMap<string, ReadonlySet<string>> | undefined
}

/** Identities that hold a role of one type, each once. */
export const identitiesIn = ({ fleet, silo, project }: Policies, type: IdentityType): string[] => [
  ...new Set(
    [fleet, silo, project]
      .flatMap((policy) => policy?.roleAssignments ?? [])
      .filter((one) => one.identityType === type)
      .map(({ identityId }) => identityId),
  ),
]

/** The groups among them that a user is in. */
export const groupsOf = (members: ReadonlyMap<string, ReadonlySet<string>>, userId: string): string[] =>
  [...members].filter(([, users]) => users.has(userId)).map(([group]) => group)

function row(facts: AccessFacts, id: string, identityType: IdentityType): AccessRow {
  const { policies, names, otherSilos, members } = facts
  const isUser = identityType === 'silo_user'
  const otherSilo = otherSilos?.get(id)
  const isCertain = otherSilo === undefined || !hasGroupOf(facts, otherSilo)
  // Groups cannot contain groups: their roles are known immediately.
  const groups = isUser ? (isCertain ? members && groupsOf(members, id) : undefined) : []
  const sources = groups && roleSources(policies, id, groups)
  return {
    id,
    identityType,
    name: names.get(id),
    otherSilo,
    isGone: facts.isComplete === true && !names.has(id),
    own: roleSources(policies, id),
    sources,
    effective: sources && effectiveRole(sources),
    ownRole: roleIn(ownPolicy(policies), id),
    expires: expiryIn(ownPolicy(policies), id),
  }
}

/** Whether a group of another silo has a role: who is in it cannot be read. */
const hasGroupOf = ({ policies, otherSilos }: AccessFacts, silo: string): boolean =>
  identitiesIn(policies, 'silo_group').some((id) => otherSilos?.get(id) === silo)

/** Groups before users, then by name; those without a known name by id. */
export function accessRows(facts: AccessFacts): AccessRow[] {
  const byName = (a: AccessRow, b: AccessRow) => (a.name ?? a.id).localeCompare(b.name ?? b.id)
  const of = (type: IdentityType) =>
    identitiesIn(facts.policies, type)
      .map((id) => row(facts, id, type))
      .toSorted(byName)
  return [...of('silo_group'), ...of('silo_user')]
}
