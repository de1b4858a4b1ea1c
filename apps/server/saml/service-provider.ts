/** This service as identity providers see it: its requests, its metadata and its key. */
import { createPrivateKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { generateServiceProviderMetadata, SAML } from '@node-saml/node-saml'
import type { Saml, SamlKeyPair, SamlRequest, SamlService } from '@purlin/core/ports'

/** The address that asks for a sign-in, by the redirect binding. */
export function requestUrl(
  { entityId, acsUrl, keys }: SamlService,
  { id, signOnUrl, relayState }: SamlRequest,
): Promise<string> {
  const saml = new SAML({
    entryPoint: signOnUrl,
    issuer: entityId,
    callbackUrl: acsUrl,
    // Needed only to read answers.
    idpCert: 'unused',
    generateUniqueId: () => id,
    // The provider decides which name it gives users and how it proves who they are.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    ...(keys ? { privateKey: pemOfKey(keys), signatureAlgorithm: 'sha256' as const } : {}),
  })
  return saml.getAuthorizeUrlAsync(relayState, undefined, {})
}

export const serviceMetadata = ({ entityId, acsUrl, keys }: SamlService): string =>
  generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acsUrl,
    identifierFormat: null,
    wantAssertionsSigned: true,
    ...(keys
      ? {
          privateKey: pemOfKey(keys),
          publicCerts: certificateIn(keys).toString(),
          signatureAlgorithm: 'sha256',
        }
      : {}),
  })

/** The reason why a key pair cannot sign requests. */
export function keyPairProblem(keys: SamlKeyPair): Awaited<ReturnType<Saml['keyPairProblem']>> {
  const certificate = attempt(() => certificateIn(keys))
  if (!certificate)
    return { field: 'public_cert', reason: 'it is no X.509 certificate: give its DER in base64' }
  const key = attempt(() => keyIn(keys))
  if (key?.asymmetricKeyType !== 'rsa')
    return { field: 'private_key', reason: 'it is no RSA key: give its DER (PKCS#1) in base64' }
  const trial = Buffer.from('trial')
  if (!verify('sha256', trial, certificate.publicKey, sign('sha256', trial, key)))
    return { field: 'private_key', reason: 'data signed with key not verified with certificate!' }
  return undefined
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

const certificateIn = ({ publicCert }: SamlKeyPair): X509Certificate =>
  new X509Certificate(Buffer.from(publicCert, 'base64'))

/** PKCS#1, or PKCS#8, the default of OpenSSL. */
function keyIn({ privateKey }: SamlKeyPair): KeyObject {
  const key = Buffer.from(privateKey, 'base64')
  const read = (type: 'pkcs1' | 'pkcs8') => createPrivateKey({ key, format: 'der', type })
  return attempt(() => read('pkcs1')) ?? read('pkcs8')
}

const pemOfKey = (keys: SamlKeyPair): string =>
  keyIn(keys).export({ type: 'pkcs8', format: 'pem' }).toString()
