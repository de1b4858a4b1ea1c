/** Role assignments on the fleet and on silos; policies of projects have the same schema. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { roles } from '#/rules/roles.ts'
import { array, enumOf, nullable, object, optional, ref, time } from '#/schema.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'

const tag = 'silo'

const RoleName = enumOf(roles)
export const IdentityType = ref('IdentityType', enumOf(['silo_user', 'silo_group']))
const RoleAssignment = object({
  identityType: IdentityType,
  identityId: Uuid,
  roleName: RoleName,
  timeExpires: optional(nullable(time())),
})
export const Policy = ref(
  'Policy',
  object({
    roleAssignments: array(RoleAssignment, { count: limits.policy.assignments, noun: 'role assignments' }),
  }),
)

export const policyView = op({
  method: 'GET', path: '/v1/policy', allow: 'user', ok: 200, tag,
  response: Policy,
})
export const policyUpdate = op({
  method: 'PUT', path: '/v1/policy', allow: ['silo.admin', 'fleet.collaborator'], ok: 200, tag,
  body: Policy, response: Policy,
})

const ofSilo = object({ silo: NameOrId })
export const siloPolicyView = op({
  method: 'GET', path: '/v1/system/silos/{silo}/policy', allow: ['silo.user', 'fleet.viewer'], ok: 200,
  tag: 'system/silos', params: ofSilo, response: Policy,
})
export const siloPolicyUpdate = op({
  method: 'PUT', path: '/v1/system/silos/{silo}/policy', allow: ['silo.admin', 'fleet.collaborator'], ok: 200,
  tag: 'system/silos', params: ofSilo, body: Policy, response: Policy,
})
export const systemPolicyView = op({
  method: 'GET', path: '/v1/system/policy', allow: 'fleet.viewer', ok: 200, tag: 'policy',
  response: Policy,
})
export const systemPolicyUpdate = op({
  method: 'PUT', path: '/v1/system/policy', allow: 'fleet.admin', ok: 200, tag: 'policy',
  body: Policy, response: Policy,
})
