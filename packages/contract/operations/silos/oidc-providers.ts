/** Identity providers of OpenID Connect, and the list of the providers of every protocol. Operations of our own. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, defaulted, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { identity, identityCreate, identityUpdate } from '#/schemas/identity.ts'
import { byNameOf, page } from '#/schemas/page.ts'
import { NameOrId } from '#/schemas/scalar.ts'
import { SignInProtocol } from '#/schemas/sign-in-protocol.ts'

const tag = 'system/silos'
const text = string({ maxLength: limits.saml.text })
const secret = string({ maxLength: limits.saml.text, isSecret: true })
const answered = string(unlimited)
const ofSilo = { query: object({ silo: NameOrId }) }

/** The list of the original API has providers of SAML only, because its clients know no others. */
export const identityProviderList = op({
  method: 'GET', path: '/v1/identity-providers', allow: ['silo.user', 'fleet.viewer'], ok: 200, tag,
  query: object({ ...byNameOf('identityProvider'), silo: NameOrId }),
  response: ref('SignInProviderResultsPage', page(ref('SignInProvider', object({ ...identity, protocol: SignInProtocol })))),
})

const Metadata = ref('OidcMetadata', object({
  signOnUrl: answered, tokenUrl: answered, keysUrl: answered, userInfoUrl: nullable(answered),
  timeRead: time(),
  failure: nullable(answered),
}))
const OidcIdentityProvider = ref('OidcIdentityProvider', object({
  ...identity,
  issuer: answered, clientId: answered,
  scopes: array(answered, unlimited),
  nameClaim: answered,
  groupsClaim: nullable(answered),
  metadata: Metadata,
}))

const admins = ['silo.admin', 'fleet.admin'] as const
const { scopes: mostScopes, scope, claim } = limits.oidc
const Scopes = array(string({ maxLength: scope }), { count: mostScopes, noun: 'scopes' })
const Claim = string({ maxLength: claim })
const root = '/v1/system/identity-providers/oidc'

export const oidcIdentityProviderCreate = op({
  method: 'POST', path: root, allow: admins, ok: 201, tag, ...ofSilo,
  body: ref('OidcIdentityProviderCreate', object({
    ...identityCreate,
    issuer: text, clientId: text, clientSecret: secret,
    scopes: defaulted(Scopes, () => ['openid', 'profile', 'email']),
    nameClaim: defaulted(Claim, () => 'sub'),
    groupsClaim: optional(nullable(Claim)),
  })),
  response: OidcIdentityProvider,
})

const one = {
  path: `${root}/{provider}`, tag, params: object({ provider: NameOrId }), query: object({ silo: optional(NameOrId) }),
} as const
export const oidcIdentityProviderView = op({
  ...one, method: 'GET', allow: ['silo.viewer', 'fleet.viewer'], ok: 200, response: OidcIdentityProvider,
})
const kept = optional(nullable(text))
/** With an issuer, its metadata is read again, also of the same one. */
export const oidcIdentityProviderUpdate = op({
  ...one, method: 'PUT', allow: admins, ok: 200,
  body: ref('OidcIdentityProviderUpdate', object({
    ...identityUpdate,
    issuer: kept, clientId: kept, clientSecret: optional(nullable(secret)),
    scopes: optional(nullable(Scopes)),
    nameClaim: optional(nullable(Claim)),
    groupsClaim: optional(nullable(Claim)),
  })),
  response: OidcIdentityProvider,
})
export const oidcIdentityProviderDelete = op({ ...one, method: 'DELETE', allow: admins, ok: 204 })
