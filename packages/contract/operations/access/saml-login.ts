/** Sign-in with an identity provider (SAML 2.0). Browsers are led through these addresses; no program calls them. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { bytes, object, optional, string } from '#/schema.ts'
import { mediaTypes } from '#/schemas/media-types.ts'
import { Name } from '#/schemas/scalar.ts'

const at = '/login/{silo_name}/saml/{provider_name}'
const one = { allow: 'public', tag: 'login', params: object({ siloName: Name, providerName: Name }) } as const

export const loginSamlBegin = op({
  ...one, method: 'GET', path: `${at}/redirect`, ok: 302,
  query: object({ redirectUri: optional(string({ maxLength: limits.saml.returnTo })) }),
})
/** The form that the identity provider has the browser send. */
export const loginSaml = op({
  ...one, method: 'POST', path: at, ok: 303, signsIn: true, allowsForeignOrigin: true,
  bodyType: mediaTypes.bytes, anyBodyType: true, bodyLimit: limits.bodyOfStrangers, body: bytes(limits.bodyOfStrangers),
})
export const loginSamlMetadata = op({
  ...one, method: 'GET', path: `${at}/metadata`, ok: 200, streams: ['application/samlmetadata+xml'],
})
