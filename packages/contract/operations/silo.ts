import { op } from '../op.ts'
import { integer, named, object, optional, text } from '../schema.ts'
import { Policy } from '../schemas/identity.ts'
import { byId, page } from '../schemas/page.ts'
import { ByteCount, Uuid } from '../schemas/scalar.ts'

const tag = 'silo'

export const Group = named('Group', object({ id: Uuid, displayName: text(), siloId: Uuid }))
export const User = named('User', object({ id: Uuid, displayName: text(), siloId: Uuid }))

export const groupList = op({
  method: 'GET', path: '/v1/groups', allow: 'user', ok: 200, tag, summary: 'List groups of the silo',
  query: object(byId), response: named('GroupResultsPage', page(Group)),
})
export const groupView = op({
  method: 'GET', path: '/v1/groups/{group_id}', allow: 'user', ok: 200, tag, summary: 'Show a group',
  params: object({ groupId: Uuid }), response: Group,
})
export const userList = op({
  method: 'GET', path: '/v1/users', allow: 'user', ok: 200, tag, summary: 'List users of the silo',
  query: object({ ...byId, group: optional(Uuid) }), response: named('UserResultsPage', page(User)),
})
export const userView = op({
  method: 'GET', path: '/v1/users/{user_id}', allow: 'user', ok: 200, tag, summary: 'Show a user',
  params: object({ userId: Uuid }), response: User,
})

export const policyView = op({
  method: 'GET', path: '/v1/policy', allow: 'user', ok: 200, tag, summary: 'Show who has which role on the silo',
  response: Policy,
})
export const policyUpdate = op({
  method: 'PUT', path: '/v1/policy', allow: ['silo.admin', 'fleet.collaborator'], ok: 200, tag,
  summary: 'Replace the roles on the silo', body: Policy, response: Policy,
})

const counts = object({ cpus: integer({ format: 'int64' }), memory: ByteCount, storage: ByteCount })
export const VirtualResourceCounts = named('VirtualResourceCounts', counts)
export const utilizationView = op({
  method: 'GET', path: '/v1/utilization', allow: 'user', ok: 200, tag,
  summary: 'Show what the silo uses of its quota',
  response: named('Utilization', object({ provisioned: VirtualResourceCounts, capacity: VirtualResourceCounts })),
})
