/** For tests: an identity provider that signs what a test says, and forges it. */
import { execFileSync } from 'node:child_process'
import { SignedXml } from 'xml-crypto'
import { addAlgorithms } from '../saml/algorithms.ts'

export interface TestProvider {
  /** PEM */
  key: string
  /** DER in base64 */
  certificate: string
}

/** Words with which `newProvider` makes a key on a curve. */
export const onCurve = (curve: string): string[] => ['ec', '-pkeyopt', `ec_paramgen_curve:${curve}`]

/** A provider with a new key. */
export function newProvider(how: readonly string[] = ['rsa:2048']): TestProvider {
  const made = [
    'req',
    '-x509',
    '-newkey',
    ...how,
    '-nodes',
    '-days',
    '30',
    '-subj',
    '/CN=idp',
    '-keyout',
    '-',
    '-out',
    '-',
  ]
  const text = execFileSync('openssl', made, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  const [, key = '', body = ''] =
    /(-----BEGIN PRIVATE KEY[^]+?END PRIVATE KEY-----\n)-----BEGIN CERTIFICATE-----([^]+?)-----END/.exec(
      text,
    ) ?? []
  return { key, certificate: body.replaceAll(/\s/g, '') }
}

interface How {
  signature?: string
  digest?: string
  /** The element that is signed. */
  signs?: 'Assertion' | 'Response'
}
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'

/** Signs an element of a document. */
export function signed({ key }: TestProvider, xml: string, how: How = {}): string {
  const { signature = rsaSha256, digest = sha256, signs = 'Assertion' } = how
  const sig = new SignedXml({
    privateKey: key,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  addAlgorithms(sig)
  const xpath = `//*[local-name(.)='${signs}']`
  sig.addReference({
    xpath,
    digestAlgorithm: digest,
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
  })
  sig.computeSignature(xml, {
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return sig.getSignedXml()
}

export const assertionXml = (subject = 'ann@example.org', id = '_assertion') =>
  `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="2026-01-02T03:04:05Z">` +
  '<saml:Issuer>https://idp.example.org</saml:Issuer>' +
  `<saml:Subject><saml:NameID>${subject}</saml:NameID>` +
  '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">' +
  '<saml:SubjectConfirmationData Recipient="https://purlin.example.org/acs" InResponseTo="_request" NotOnOrAfter="2026-01-02T03:09:05.5+00:00"/>' +
  '</saml:SubjectConfirmation></saml:Subject>' +
  '<saml:Conditions NotBefore="2026-01-02T03:04:05" NotOnOrAfter="2026-01-02T03:09:05Z">' +
  '<saml:AudienceRestriction><saml:Audience>https://purlin.example.org</saml:Audience></saml:AudienceRestriction></saml:Conditions>' +
  '<saml:AuthnStatement AuthnInstant="2026-01-02T03:04:05Z" SessionNotOnOrAfter="2026-01-02T11:04:05Z"/>' +
  '<saml:AttributeStatement><saml:Attribute Name="groups">' +
  '<saml:AttributeValue>admins</saml:AttributeValue><saml:AttributeValue>dev,ops</saml:AttributeValue>' +
  '</saml:Attribute></saml:AttributeStatement></saml:Assertion>'

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** A response around some assertions. */
export const responseXml = (content: string, status = success) =>
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_response" Version="2.0" IssueInstant="2026-01-02T03:04:05Z" Destination="https://purlin.example.org/acs" InResponseTo="_request">' +
  '<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">https://idp.example.org</saml:Issuer>' +
  `<samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>${content}</samlp:Response>`

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The metadata of a provider. */
export const metadataXml = (certificates: readonly string[], entityId = 'https://idp.example.org') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by a test -->\n` +
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}">` +
  '<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">' +
  certificates
    .map(
      (one) =>
        `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n${one}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    )
    .join('') +
  '<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example.org/post"/>' +
  '<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.org/sso?x=1"/>' +
  '</md:IDPSSODescriptor></md:EntityDescriptor>'
