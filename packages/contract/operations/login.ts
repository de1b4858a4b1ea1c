/** What works without a session. Apart from the rest, because the sign-in page loads nothing else. */
import { op } from '../op.ts'
import { named, object, text, words } from '../schema.ts'
import { Name } from '../schemas/scalar.ts'

const tag = 'session'

export const ping = op({
  method: 'GET', path: '/v1/ping', allow: 'public', ok: 200, tag, summary: 'Say that the API answers',
  response: named('Ping', object({ status: named('PingStatus', words(['ok'])) })),
})

export const loginLocal = op({
  method: 'POST', path: '/v1/login/{silo_name}/local', allow: 'public', ok: 204, tag,
  summary: 'Sign in with a username and password',
  params: object({ siloName: Name }),
  // Anything may be typed into a sign-in form: a name that cannot exist is a wrong name, no parse error.
  body: named('UsernamePasswordCredentials', object({ username: text(), password: text() })),
})
export const logout = op({ method: 'POST', path: '/v1/logout', allow: 'public', ok: 204, tag, summary: 'Sign out' })
