/** Sign-in, sign-out and who is signed in: separate, because the sign-in page loads no other operations. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { roles } from '#/rules/roles.ts'
import { array, boolean, enumOf, integer, nullable, object, optional, ref, string, unlimited } from '#/schema.ts'
import { Description, Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { SignInProtocol } from '#/schemas/sign-in-protocol.ts'

const tag = 'session'

export const ping = op({
  method: 'GET', path: '/v1/ping', allow: 'public', ok: 200, tag,
  response: ref('Ping', object({ status: ref('PingStatus', enumOf(['ok'])) })),
})

export const loginLocal = op({
  method: 'POST', path: '/v1/login/{silo_name}/local', allow: 'public', ok: 204, tag, signsIn: true,
  params: object({ siloName: Name }),
  // Any text is accepted: an impossible username is a failed sign-in, not a parse error.
  bodyLimit: limits.bodyOfSignIn,
  body: ref('UsernamePasswordCredentials', object({
      username: string({ maxLength: limits.username }),
      password: string({ maxLength: limits.password.max, isRule: true, isSecret: true }),
    })),
})
export const logout = op({ method: 'POST', path: '/v1/logout', allow: 'public', ok: 204, tag })

/** How the users of a silo sign in, for those who have not. */
export const loginOptions = op({
  method: 'GET', path: '/v1/login/{silo_name}/options', allow: 'public', ok: 200, tag,
  params: object({ siloName: Name }),
  response: ref('LoginOptions', object({
    password: boolean(),
    providers: array(ref('LoginProvider', object({ name: Name, description: Description, protocol: SignInProtocol })), unlimited),
  })),
})

const effectiveRole = optional(nullable(enumOf(roles)))
const CurrentUser = ref(
  'CurrentUser',
  object({
    id: Uuid, displayName: string(unlimited), siloId: Uuid, siloName: Name, fleetViewer: boolean(), siloAdmin: boolean(),
    /** Of our own: the effective roles, null without one. That on a project is there if the request names one. */
    fleetRole: effectiveRole, siloRole: effectiveRole, projectRole: effectiveRole,
    /** Of our own: seconds until the session ends if no request uses it; absent for an access token. */
    sessionIdleSeconds: optional(integer({ min: 0, format: 'uint32' })),
  }),
)
export const currentUserView = op({
  method: 'GET', path: '/v1/me', allow: 'user', ok: 200, tag,
  query: object({ project: optional(NameOrId) }), response: CurrentUser,
})
