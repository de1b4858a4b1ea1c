import { op } from '#/op.ts'
import { boolean, object, ref, string, unlimited } from '#/schema.ts'
import { byId, page } from '#/schemas/page.ts'
import { Name, Uuid } from '#/schemas/scalar.ts'
import { Group } from '../silos/silos.ts'

const tag = 'session'

export const CurrentUser = ref(
  'CurrentUser',
  object({ id: Uuid, displayName: string(unlimited), siloId: Uuid, siloName: Name, fleetViewer: boolean(), siloAdmin: boolean() }),
)
export const currentUserView = op({
  method: 'GET', path: '/v1/me', allow: 'user', ok: 200, tag, summary: 'Show the signed-in user', response: CurrentUser,
})
export const currentUserGroups = op({
  method: 'GET', path: '/v1/me/groups', allow: 'user', ok: 200, tag, summary: 'List the groups of the signed-in user',
  query: object(byId), response: ref('GroupResultsPage', page(Group)),
})
