/** The identity providers of silos, with which their users sign in. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, base64, enumOf, nullable, object, optional, ref, string, time, union, unlimited } from '#/schema.ts'
import { identity, identityCreate, identityUpdate } from '#/schemas/identity.ts'
import { byNameOf, page } from '#/schemas/page.ts'
import { NameOrId } from '#/schemas/scalar.ts'

const tag = 'system/silos'
const text = string({ maxLength: limits.saml.text })
const answered = string(unlimited)

export const ProviderType = ref('IdentityProviderType', enumOf(['saml']))
const IdentityProvider = ref('IdentityProvider', object({ ...identity, providerType: ProviderType }))
const ofSilo = { query: object({ silo: NameOrId }) }
const root = '/v1/system/identity-providers'

export const siloIdentityProviderList = op({
  method: 'GET', path: root, allow: ['silo.user', 'fleet.viewer'], ok: 200, tag,
  query: object({ ...byNameOf('identityProvider'), silo: NameOrId }),
  response: ref('IdentityProviderResultsPage', page(IdentityProvider)),
})

const Metadata = ref('SamlMetadata', object({
  signOnUrl: answered,
  certificates: array(ref('SamlCertificate', object({ subject: answered, fingerprint: answered, notAfter: time() })), unlimited),
  /** Where it is read again; null if it was given as XML. */
  url: nullable(answered),
  timeRead: time(),
  failure: nullable(answered),
}))
const settings = { idpEntityId: text, spClientId: text, acsUrl: text, sloUrl: text, technicalContactEmail: text }
const SamlIdentityProvider = ref('SamlIdentityProvider', object({
  ...identity,
  idpEntityId: answered, spClientId: answered, acsUrl: answered, sloUrl: answered, technicalContactEmail: answered,
  groupAttributeName: optional(nullable(answered)),
  publicCert: optional(nullable(answered)),
  /** Of our own: the provider as its metadata describes it. */
  metadata: optional(Metadata),
}))

const Source = ref('IdpMetadataSource', union('type', {
  url: { url: text },
  base64_encoded_xml: { data: base64(limits.saml.metadata) },
}))
const der = string({ maxLength: limits.saml.key })
const KeyPair = ref('DerEncodedKeyPair', object({
  publicCert: der, privateKey: string({ maxLength: limits.saml.key, isSecret: true }),
}))
const admins = ['silo.admin', 'fleet.admin'] as const
const kept = optional(nullable(text))

export const samlIdentityProviderCreate = op({
  method: 'POST', path: `${root}/saml`, allow: admins, ok: 201, tag, ...ofSilo,
  body: ref('SamlIdentityProviderCreate', object({
    ...identityCreate, ...settings,
    idpMetadataSource: Source,
    signingKeypair: optional(nullable(KeyPair)),
    groupAttributeName: kept,
  })),
  response: SamlIdentityProvider,
})

const one = {
  path: `${root}/saml/{provider}`, tag, params: object({ provider: NameOrId }), query: object({ silo: optional(NameOrId) }),
} as const
export const samlIdentityProviderView = op({
  ...one, method: 'GET', allow: ['silo.viewer', 'fleet.viewer'], ok: 200, response: SamlIdentityProvider,
})
/** With a source, the metadata is read again, also from the same address. */
export const samlIdentityProviderUpdate = op({
  ...one, method: 'PUT', allow: admins, ok: 200,
  body: ref('SamlIdentityProviderUpdate', object({
    ...identityUpdate,
    idpEntityId: kept, spClientId: kept, acsUrl: kept, sloUrl: kept, technicalContactEmail: kept,
    idpMetadataSource: optional(nullable(Source)),
    signingKeypair: optional(nullable(KeyPair)),
    groupAttributeName: kept,
  })),
  response: SamlIdentityProvider,
})
export const samlIdentityProviderDelete = op({ ...one, method: 'DELETE', allow: admins, ok: 204 })
