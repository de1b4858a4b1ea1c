/** Users as administrators see them: their sessions, those of a silo by its name, local ones, and those of the system. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { boolean, enumOf, nullable, object, optional, ref, string, time, union, unlimited } from '#/schema.ts'
import { identity } from '#/schemas/identity.ts'
import { byId, byIdOf, counted, page } from '#/schemas/page.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { found, User } from '../silos/silos.ts'

const ofUser = object({ userId: Uuid })
const inSilo = { silo: NameOrId }

const seen = optional(nullable(string(unlimited)))
const Session = ref('ConsoleSession', object({
  id: Uuid, timeCreated: time(), timeLastUsed: time(),
  /** Of our own: the browser that signed in, and whether this request belongs to the session. */
  address: seen, userAgent: seen, current: optional(boolean()),
}))
export const userSessionList = op({
  method: 'GET', path: '/v1/users/{user_id}/sessions', allow: ['self', 'silo.admin'], ok: 200, tag: 'silo',
  params: ofUser, query: object(byId),
  response: ref('ConsoleSessionResultsPage', page(Session)),
})
/** Of our own: ends one session. */
export const userSessionDelete = op({
  method: 'DELETE', path: '/v1/users/{user_id}/sessions/{session_id}', allow: ['self', 'silo.admin'], ok: 204, tag: 'silo',
  params: object({ userId: Uuid, sessionId: Uuid }),
})
export const userLogout = op({
  method: 'POST', path: '/v1/users/{user_id}/logout', allow: ['self', 'silo.admin'], ok: 204, tag: 'silo',
  params: ofUser,
})

const tag = 'system/silos'
export const siloUserList = op({
  method: 'GET', path: '/v1/system/users', allow: ['silo.user', 'fleet.viewer'], ok: 200, tag,
  query: object({ ...byIdOf('siloUser'), ...inSilo, ...found, group: optional(Uuid) }),
  response: ref('UserResultsPage', page(User)),
})
export const siloUserView = op({
  method: 'GET', path: '/v1/system/users/{user_id}', allow: ['silo.user', 'fleet.viewer'], ok: 200, tag,
  params: ofUser, query: object(inSilo), response: User,
})

const UserBuiltin = ref('UserBuiltin', object(identity))
export const userBuiltinList = op({
  method: 'GET', path: '/v1/system/users-builtin', allow: 'fleet.viewer', ok: 200, tag,
  query: object({ ...counted, sortBy: optional(enumOf(['name_ascending'])) }),
  response: ref('UserBuiltinResultsPage', page(UserBuiltin)),
})
export const userBuiltinView = op({
  method: 'GET', path: '/v1/system/users-builtin/{user}', allow: 'fleet.viewer', ok: 200, tag,
  params: object({ user: NameOrId }),
  response: UserBuiltin,
})

export const Password = ref('Password', string({ maxLength: limits.password.max, isRule: true, isSecret: true }))
const UserPassword = ref('UserPassword', union('mode', { password: { value: Password }, login_disallowed: {} }))
const local = '/v1/system/identity-providers/local/users'
const byAdmins = { allow: ['silo.admin', 'fleet.admin'], tag, query: object(inSilo) } as const
export const localIdpUserCreate = op({
  ...byAdmins, method: 'POST', path: local, ok: 201,
  body: ref('UserCreate', object({ externalId: Name, password: UserPassword })), response: User,
})
export const localIdpUserDelete = op({
  ...byAdmins, method: 'DELETE', path: `${local}/{user_id}`, ok: 204,
  params: ofUser,
})
export const localIdpUserSetPassword = op({
  ...byAdmins, method: 'POST', path: `${local}/{user_id}/set-password`, ok: 204,
  params: ofUser, body: UserPassword,
})
/** Of our own: users who leave for a time, or for good, keep their roles and what they own. */
export const localIdpUserDeactivate = op({
  ...byAdmins, method: 'POST', path: `${local}/{user_id}/deactivate`, ok: 204, params: ofUser,
})
export const localIdpUserActivate = op({
  ...byAdmins, method: 'POST', path: `${local}/{user_id}/activate`, ok: 204, params: ofUser,
})
