/** Sign-in and sign-out, separate from the current user because the sign-in page loads no other operations. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { enumOf, object, ref, string } from '#/schema.ts'
import { Name } from '#/schemas/scalar.ts'

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
      password: string({ maxLength: limits.password.max, isRule: true }),
    })),
})
export const logout = op({ method: 'POST', path: '/v1/logout', allow: 'public', ok: 204, tag })
