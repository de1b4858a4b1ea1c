import { op } from '#/op.ts'
import { object, ref } from '#/schema.ts'
import { byId, page } from '#/schemas/page.ts'
import { Group } from '../silos/silos.ts'
import { Password } from './users.ts'

const tag = 'session'

/** Of our own: local users change their password without an administrator. */
export const currentUserPasswordUpdate = op({
  method: 'POST', path: '/v1/me/password', allow: 'user', ok: 204, tag,
  body: ref('CurrentUserPasswordUpdate', object({ currentPassword: Password, newPassword: Password })),
})
export const currentUserGroups = op({
  method: 'GET', path: '/v1/me/groups', allow: 'user', ok: 200, tag,
  query: object(byId), response: ref('GroupResultsPage', page(Group)),
})
