/** Sign-in with an identity provider (OpenID Connect). Browsers and providers are led here; no other program calls these. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { bytes, object, optional, string } from '#/schema.ts'
import { mediaTypes } from '#/schemas/media-types.ts'
import { Name } from '#/schemas/scalar.ts'

const at = '/login/{silo_name}/oidc/{provider_name}'
const one = { allow: 'public', tag: 'login', params: object({ siloName: Name, providerName: Name }) } as const
const parameter = optional(string({ maxLength: limits.oidc.parameter }))

export const loginOidcBegin = op({
  ...one, method: 'GET', path: `${at}/redirect`, ok: 302,
  query: object({ redirectUri: optional(string({ maxLength: limits.saml.returnTo })) }),
})
/** The address that the identity provider sends the browser to. */
export const loginOidc = op({
  ...one, method: 'GET', path: `${at}/callback`, ok: 303, signsIn: true,
  query: object({
    code: optional(string({ maxLength: limits.oidc.parameter, isSecret: true })),
    state: parameter, iss: parameter, error: parameter, errorDescription: parameter,
  }),
})
/** The identity provider calls it: a form with `logout_token`. */
export const loginOidcLogout = op({
  ...one, method: 'POST', path: `${at}/logout`, ok: 204, allowsForeignOrigin: true,
  bodyType: mediaTypes.bytes, anyBodyType: true, bodyLimit: limits.bodyOfStrangers, body: bytes(limits.bodyOfStrangers),
})
