/** The port that reads and writes SAML 2.0. It checks signatures; the control plane checks everything else. */

/** A certificate that an identity provider signs with. */
export interface SamlCertificate {
  /** DER in base64 */
  der: string
  subject: string
  /** SHA-256 of its DER, as `AB:CD:…` */
  fingerprint: string
  /** ms since 1970 */
  notAfter: number
}

/** An identity provider, as its metadata describes it. */
export interface SamlMetadata {
  entityId: string
  /** Where requests are sent by redirect. */
  signOnUrl: string
  certificates: SamlCertificate[]
}

/** A certificate and its key, each base64 of DER; the key is one of RSA. */
export interface SamlKeyPair {
  publicCert: string
  privateKey: string
}

/** A service provider as identity providers see it. */
export interface SamlService {
  entityId: string
  acsUrl: string
  /** Signs requests. */
  keys: SamlKeyPair | undefined
}

/** A request to sign in. */
export interface SamlRequest {
  id: string
  signOnUrl: string
  relayState: string
}

/** How the bearer of an assertion is confirmed. Times are in ms since 1970, undefined where there are none. */
export interface SamlConfirmation {
  method: string
  recipient: string | undefined
  inResponseTo: string | undefined
  notBefore: number | undefined
  notOnOrAfter: number | undefined
}

export interface SamlAttribute {
  name: string
  values: string[]
}

/** The content of a signed answer. Only signed parts are in `assertion`. */
export interface SamlAnswer {
  /** The address that the answer was sent to, and the request that it names. They may be unsigned. */
  destination: string | undefined
  inResponseTo: string | undefined
  responseIssuer: string | undefined
  assertion: {
    id: string
    issuer: string | undefined
    issueInstant: number | undefined
    subject: string | undefined
    confirmations: SamlConfirmation[]
    notBefore: number | undefined
    notOnOrAfter: number | undefined
    /** Of each restriction, the audiences. The assertion is for those that are in all of them. */
    audiences: string[][]
    /** The end of the provider's own session. */
    sessionNotOnOrAfter: number | undefined
    attributes: SamlAttribute[]
  }
}

/** Something of an identity provider that is refused. The message is the reason, for people. */
export class SamlRefused extends Error {
  override name = 'SamlRefused'
}

/** How an address answered that metadata was requested from. */
export type FetchedMetadata = { xml: string } | { status: number } | { failure: string }

export interface Saml {
  /**
   * Reads metadata; of several providers in it, the one with this entity id. Document types are refused, so that no
   * entity is ever resolved. Throws SamlRefused.
   */
  readMetadata(xml: string, entityId: string): Promise<SamlMetadata>
  /**
   * Requests metadata from an address within 5 s, without following redirects. Addresses that are not for receivers of
   * alerts are refused in the same way.
   */
  fetchMetadata(url: string): Promise<FetchedMetadata>
  /** The reason why a key pair cannot sign; undefined if it can. */
  keyPairProblem(
    keys: SamlKeyPair,
  ): Promise<{ field: 'public_cert' | 'private_key'; reason: string } | undefined>
  /** The address that asks the provider to sign a user in, signed if the service has keys. */
  requestUrl(service: SamlService, request: SamlRequest): Promise<string>
  /** The metadata of a service, for the administrators of identity providers. */
  serviceMetadata(service: SamlService): Promise<string>
  /**
   * Reads an answer, in base64, that must be signed with one of the certificates (DER in base64), as a whole or in its
   * only assertion. Throws SamlRefused.
   */
  readAnswer(response: string, certificates: readonly string[]): Promise<SamlAnswer>
}
