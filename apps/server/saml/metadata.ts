/** Reads the metadata of identity providers (SAML 2.0 metadata, section 2). */
import { X509Certificate } from 'node:crypto'
import { limits } from '@purlin/contract/rules/limits'
import { type SamlCertificate, type SamlMetadata, SamlRefused } from '@purlin/core/ports'
import { isSupportedKey } from './algorithms.ts'
import { attributeOf, childrenOf, namespaces, parseXml, within } from './xml.ts'

const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/** The provider with an entity id. Throws SamlRefused. */
export function readMetadata(xml: string, entityId: string): SamlMetadata {
  const entity = entityOf(parseXml(xml), entityId)
  const [provider] = childrenOf(entity, 'metadata', 'IDPSSODescriptor')
  if (!provider) throw new SamlRefused('no md:IDPSSODescriptor section')
  return { entityId, signOnUrl: signOnUrlOf(provider), certificates: certificatesOf(provider) }
}

function entityOf(root: Element, entityId: string): Element {
  const isOne = root.localName === 'EntityDescriptor' && root.namespaceURI === namespaces.metadata
  const entities = isOne ? [root] : within(root, 'metadata', 'EntityDescriptor')
  const found = entities.find((one) => attributeOf(one, 'entityID') === entityId)
  if (found) return found
  const ids = entities.map((one) => attributeOf(one, 'entityID') ?? '').slice(0, 3)
  throw new SamlRefused(
    ids.length === 0
      ? 'no md:EntityDescriptor section'
      : `it is not of ${entityId.slice(0, limits.quoted)}, but of ${ids.join(', ').slice(0, limits.quoted)}`,
  )
}

function signOnUrlOf(provider: Element): string {
  const services = childrenOf(provider, 'metadata', 'SingleSignOnService')
  const found = services.find((one) => attributeOf(one, 'Binding') === redirectBinding)
  if (!found) throw new SamlRefused('zero redirect binding locations')
  const location = attributeOf(found, 'Location') ?? ''
  const isWeb = /^https?:$/.test(URL.parse(location)?.protocol ?? '')
  if (!isWeb || location.length > limits.saml.returnTo)
    throw new SamlRefused('the redirect binding location is no address of the web')
  return location
}

/** The certificates that sign answers. Those of other keys than RSA and the usual curves are left out: their signatures are not supported. */
function certificatesOf(provider: Element): SamlCertificate[] {
  const keys = childrenOf(provider, 'metadata', 'KeyDescriptor').filter(
    (key) => (attributeOf(key, 'use') ?? 'signing') === 'signing',
  )
  const texts = keys.flatMap((key) =>
    within(key, 'signature', 'X509Certificate').map((one) => (one.textContent ?? '').replaceAll(/\s/g, '')),
  )
  if (texts.length === 0) throw new SamlRefused('no signing key found in IDP metadata')
  const { certificates: most, key: longest } = limits.saml
  if (texts.length > most) throw new SamlRefused(`it has more than ${most} certificates`)
  if (texts.some((text) => text.length > longest))
    throw new SamlRefused('one of its certificates is too long')
  const read = [...new Set(texts)].map(certificateOf)
  const usable = read.filter(({ publicKey }) => isSupportedKey(publicKey))
  if (usable.length === 0)
    throw new SamlRefused(
      'none of its signing keys is one of RSA or on the curves P-256, P-384 and P-521, and others are not supported',
    )
  return usable.map((one) => ({
    der: one.raw.toString('base64'),
    subject: one.subject.replaceAll(/\s+/g, ' ').slice(0, limits.certificate.subject),
    fingerprint: one.fingerprint256,
    notAfter: Date.parse(one.validTo),
  }))
}

function certificateOf(base64: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch (error) {
    throw new SamlRefused('one of its certificates cannot be read', { cause: error })
  }
}
