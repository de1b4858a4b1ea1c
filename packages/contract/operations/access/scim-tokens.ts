/** Tokens with which the identity provider of a silo manages its users and groups (SCIM 2.0). */
import { op } from '#/op.ts'
import { array, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { limits } from '#/rules/limits.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const name = string({ maxLength: limits.scim.tokenName })
const token = {
  id: Uuid,
  name: optional(nullable(name)),
  timeCreated: time(),
  timeExpires: optional(nullable(time())),
  timeLastUsed: optional(nullable(time())),
}
const ScimToken = ref('ScimClientBearerToken', object(token))

const allow = ['silo.admin', 'fleet.admin'] as const
const tokens = plainOps('scimToken', {
  path: '/v1/system/scim/tokens', verbs: ['List', 'Create', 'View', 'Delete'], response: ScimToken,
  allow: { List: allow, Create: allow, View: allow, Delete: allow }, tag: 'system/silos',
})
const { path, tag, query } = tokens.scimTokenCreate
/** All tokens in one answer: there are few, and the original API has no pages of them. */
export const scimTokenList = op({
  method: 'GET', path, allow, ok: 200, tag, query,
  response: array(ScimToken, unlimited),
})
/** Name and end are in the query: the original API has no body here, and its clients send none. */
export const scimTokenCreate = op({
  ...tokens.scimTokenCreate,
  query: object({ silo: NameOrId, name: optional(name), timeExpires: optional(time()) }),
  response: ref('ScimClientBearerTokenValue', object({ ...token, bearerToken: string(unlimited) })),
})
export const scimTokenDeleteAll = op({
  method: 'DELETE', path, allow, ok: 204, tag, query,
})
export const { scimTokenView, scimTokenDelete } = tokens
