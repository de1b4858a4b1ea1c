/** Of our own: groups in silos with local users. Those of other silos are as their identity provider says. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, object, optional, ref } from '#/schema.ts'
import { byIdOf, page } from '#/schemas/page.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { found, Group } from '../silos/silos.ts'

const tag = 'system/silos'
const inSilo = { silo: NameOrId }
const ofGroup = object({ groupId: Uuid })
const read = { method: 'GET', allow: ['silo.user', 'fleet.viewer'], ok: 200, tag } as const

export const siloGroupList = op({
  ...read, path: '/v1/system/groups',
  query: object({ ...byIdOf('siloGroup'), ...inSilo, ...found, user: optional(Uuid) }),
  response: ref('GroupResultsPage', page(Group)),
})
export const siloGroupView = op({
  ...read, path: '/v1/system/groups/{group_id}', params: ofGroup, query: object(inSilo), response: Group,
})

const local = '/v1/system/identity-providers/local/groups'
const byAdmins = { allow: ['silo.admin', 'fleet.admin'], tag, query: object(inSilo) } as const
const LocalGroup = ref('LocalGroupCreate', object({ displayName: Name }))
export const localIdpGroupCreate = op({
  ...byAdmins, method: 'POST', path: local, ok: 201, body: LocalGroup, response: Group,
})
export const localIdpGroupUpdate = op({
  ...byAdmins, method: 'PUT', path: `${local}/{group_id}`, ok: 200,
  params: ofGroup, body: ref('LocalGroupUpdate', object({ displayName: Name })), response: Group,
})
export const localIdpGroupDelete = op({
  ...byAdmins, method: 'DELETE', path: `${local}/{group_id}`, ok: 204, params: ofGroup,
})
export const localIdpGroupMembersAdd = op({
  ...byAdmins, method: 'POST', path: `${local}/{group_id}/members`, ok: 204, params: ofGroup,
  body: ref('LocalGroupMembersAdd', object({ userIds: array(Uuid, { count: limits.localGroups.adding, noun: 'users' }) })),
})
export const localIdpGroupMemberRemove = op({
  ...byAdmins, method: 'DELETE', path: `${local}/{group_id}/members/{user_id}`, ok: 204,
  params: object({ groupId: Uuid, userId: Uuid }),
})
