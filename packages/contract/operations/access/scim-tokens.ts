/** Tokens with which the identity provider of a silo manages its users and groups (SCIM 2.0). */
import { op } from '#/op.ts'
import { array, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const token = { id: Uuid, timeCreated: time(), timeExpires: optional(nullable(time())) }
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
export const scimTokenCreate = op({
  ...tokens.scimTokenCreate,
  response: ref('ScimClientBearerTokenValue', object({ ...token, bearerToken: string(unlimited) })),
})
export const scimTokenDeleteAll = op({
  method: 'DELETE', path, allow, ok: 204, tag, query,
})
export const { scimTokenView, scimTokenDelete } = tokens
