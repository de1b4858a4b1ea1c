/** Role assignments on the fleet and on silos; policies of projects have the same schema. */
import { limits } from '#/rules/limits.ts'
import { roles } from '#/rules/roles.ts'
import { array, enumOf, nullable, object, optional, ref, time } from '#/schema.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { settingOps } from '../setting.ts'

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

const policy = { response: Policy, body: Policy } as const

export const { policyView, policyUpdate } = settingOps('policy', {
  ...policy, path: '/v1/policy', tag: 'silo', view: 'user', update: ['silo.admin', 'fleet.collaborator'],
})
export const { siloPolicyView, siloPolicyUpdate } = settingOps('siloPolicy', {
  ...policy, path: '/v1/system/silos/{silo}/policy', params: object({ silo: NameOrId }), tag: 'system/silos',
  view: ['silo.user', 'fleet.viewer'], update: ['silo.admin', 'fleet.collaborator'],
})
export const { systemPolicyView, systemPolicyUpdate } = settingOps('systemPolicy', {
  ...policy, path: '/v1/system/policy', tag: 'policy', view: 'fleet.viewer', update: 'fleet.admin',
})
