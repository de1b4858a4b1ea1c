/** Heads and selectors that families share. */
import { roles } from '../rules/roles.ts'
import { array, named, nullable, object, optional, time, words } from '../schema.ts'
import { limits } from '../rules/limits.ts'
import { Description, Name, NameOrId, Uuid } from './scalar.ts'

/** The head of every named object. */
export const head = {
  id: Uuid,
  name: Name,
  description: Description,
  timeCreated: time(),
  timeModified: time(),
}
/** What every create of a named object takes. */
export const newHead = { name: Name, description: Description }
/** What every update of a named object takes: absent or null keeps the value. */
export const headUpdate = { name: optional(nullable(Name)), description: optional(nullable(Description)) }

export const inProject = { project: optional(NameOrId) }
export const ofProject = { project: NameOrId }

const RoleName = words(roles)
const IdentityType = named('IdentityType', words(['silo_user', 'silo_group']))
const RoleAssignment = object({ identityType: IdentityType, identityId: Uuid, roleName: RoleName })
export const Policy = named(
  'Policy',
  object({
    roleAssignments: array(RoleAssignment, { count: limits.policy.assignments, noun: 'role assignments' }),
  }),
)
