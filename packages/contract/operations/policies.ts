/** Role assignments on the silo; policies of projects have the same schema. */
import { op } from '../op.ts'
import { limits } from '../rules/limits.ts'
import { roles } from '../rules/roles.ts'
import { array, enumOf, object, ref } from '../schema.ts'
import { Uuid } from '../schemas/scalar.ts'

const tag = 'silo'

const RoleName = enumOf(roles)
const IdentityType = ref('IdentityType', enumOf(['silo_user', 'silo_group']))
const RoleAssignment = object({ identityType: IdentityType, identityId: Uuid, roleName: RoleName })
export const Policy = ref(
  'Policy',
  object({
    roleAssignments: array(RoleAssignment, { count: limits.policy.assignments, noun: 'role assignments' }),
  }),
)

export const policyView = op({
  method: 'GET', path: '/v1/policy', allow: 'user', ok: 200, tag, summary: 'Show who has which role on the silo',
  response: Policy,
})
export const policyUpdate = op({
  method: 'PUT', path: '/v1/policy', allow: ['silo.admin', 'fleet.collaborator'], ok: 200, tag,
  summary: 'Replace the roles on the silo', body: Policy, response: Policy,
})
