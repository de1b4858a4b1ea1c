/** Tokens with which the identity provider of a silo manages its users and groups (SCIM 2.0). */
import { op } from '#/op.ts'
import { array, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'

const path = '/v1/system/scim/tokens'
const common = {
  allow: ['silo.admin', 'fleet.admin'], tag: 'system/silos', query: object({ silo: NameOrId }),
} as const
const one = { ...common, path: `${path}/{token_id}`, params: object({ tokenId: Uuid }) } as const

const token = { id: Uuid, timeCreated: time(), timeExpires: optional(nullable(time())) }
const ScimToken = ref('ScimClientBearerToken', object(token))

export const scimTokenList = op({
  ...common, method: 'GET', path, ok: 200, summary: 'List the SCIM tokens of a silo',
  response: array(ScimToken, unlimited),
})
export const scimTokenCreate = op({
  ...common, method: 'POST', path, ok: 201, summary: 'Make a SCIM token, whose secret is told this once',
  response: ref('ScimClientBearerTokenValue', object({ ...token, bearerToken: string(unlimited) })),
})
export const scimTokenDeleteAll = op({
  ...common, method: 'DELETE', path, ok: 204, summary: 'Delete all SCIM tokens of a silo',
})
export const scimTokenView = op({
  ...one, method: 'GET', ok: 200, summary: 'Show a SCIM token without its secret', response: ScimToken,
})
export const scimTokenDelete = op({ ...one, method: 'DELETE', ok: 204, summary: 'Delete a SCIM token' })
