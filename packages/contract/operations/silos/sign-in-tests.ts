/** Tests of identity providers: a sign-in that shows its administrator what it would do, and does nothing. Of our own. */
import { op } from '#/op.ts'
import { array, boolean, enumOf, integer, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { SignInProtocol } from '#/schemas/sign-in-protocol.ts'
import { roles } from '#/rules/roles.ts'

const tag = 'system/silos'
const admins = ['silo.admin', 'fleet.admin'] as const
const answered = string(unlimited)

const Attribute = ref('SignInTestAttribute', object({
  name: answered, values: array(answered, unlimited),
  use: nullable(enumOf(['name', 'display_name', 'groups'])),
}))
const Answer = ref('SignInTestAnswer', object({
  issuer: nullable(answered), subject: nullable(answered), audiences: array(answered, unlimited),
  timeIssued: nullable(time()), timeValidFrom: nullable(time()), timeValidUntil: nullable(time()),
  attributes: array(Attribute, unlimited),
  omitted: integer({ min: 0 }),
}))
const User = ref('SignInTestUser', object({ id: nullable(answered), displayName: answered, isNew: boolean() }))
const Group = ref('SignInTestGroup', object({
  name: answered, change: enumOf(['joined', 'left', 'kept']), isNew: boolean(),
}))
const Role = ref('SignInTestRole', object({ level: enumOf(['fleet', 'silo', 'project']), name: answered, role: enumOf(roles) }))

const SignInTest = ref('SignInTest', object({
  id: answered,
  timeCreated: time(), timeExpires: time(),
  providerId: answered, providerName: answered, protocol: SignInProtocol,
  outcome: enumOf(['waiting', 'accepted', 'refused']),
  reason: nullable(answered),
  answer: nullable(Answer),
  user: nullable(User),
  groups: array(Group, unlimited),
  roles: array(Role, unlimited),
  hiddenRoles: integer({ min: 0 }),
}))

/** The answer sets a cookie, so that only this browser can bring the provider's answer. */
export const signInTestBegin = op({
  method: 'POST', path: '/v1/identity-providers/{provider}/sign-in-tests', allow: admins, ok: 201, tag,
  params: object({ provider: NameOrId }), query: object({ silo: optional(NameOrId) }),
  response: ref('SignInTestBegun', object({ id: answered, url: answered, timeExpires: time() })),
})
export const signInTestView = op({
  method: 'GET', path: '/v1/sign-in-tests/{test_id}', allow: admins, ok: 200, tag,
  params: object({ testId: Uuid }), response: SignInTest,
})
