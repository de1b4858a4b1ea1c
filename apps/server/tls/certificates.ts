/** Core's port for certificates, with those of this process: OpenSSL reads them as the handshake does. */
import { systemCodeOf } from '@purlin/databases/error-codes'
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import {
  blocksOf,
  keyProblem,
  pemOf,
  type CertificateFacts,
  type Certificates,
} from '@purlin/contract/rules/credentials/certificate-checks'

// Loaded when a certificate is read for the first time. OpenSSL reports neither the form of a curve nor the key
// usage.
const publicKeys = () => import('@purlin/x509/public-key')

export const systemCertificates: Certificates = {
  read: async (pem) => {
    const list = parsed(pem)
    const { readPublicKey } = await publicKeys()
    return list.map((one) => ({ ...factsOf(one), key: readPublicKey(one.raw) }))
  },
  pair: async ({ cert, key }) => {
    const read = readKey(key)
    if (!('key' in read)) return { is: 'unreadable', ...read }
    if (!parsed(cert)[0]?.checkPrivateKey(read.key)) return { is: 'another' }
    const { asymmetricKeyType: type = '', asymmetricKeyDetails: details } = read.key
    const why = keyProblem({ type, bits: details?.modulusLength ?? 0 })
    if (why !== undefined) return { is: 'refused', why }
    try {
      createSecureContext({ cert, key })
      return { is: 'fits' }
    } catch (error) {
      return { is: 'refused', why: reasonOf(error) ?? 'TLS does not accept it' }
    }
  },
}

/** The certificates in a text. Throws for other content. */
const parsed = (pem: string): X509Certificate[] =>
  blocksOf(pem).map((block) => new X509Certificate(pemOf(block)))

function factsOf(one: X509Certificate): Omit<CertificateFacts, 'key'> {
  return {
    subject: one.subject ?? '',
    issuer: one.issuer ?? '',
    commonName: [...(one.subject ?? '').matchAll(/^CN=(.*)$/gm)].at(-1)?.[1],
    dnsNames: dnsNamesOf(one.subjectAltName ?? ''),
    notBefore: timeOf(one.validFrom),
    notAfter: timeOf(one.validTo),
    purposes: one.keyUsage ?? [],
  }
}

/** Of `DNS:a.test, IP Address:::1`; a name with a comma or quote in it is in quotes, and is none of DNS. */
const dnsNamesOf = (text: string): string[] =>
  text.split(', ').flatMap((part) => (/^DNS:[^"]/.test(part) ? [part.slice('DNS:'.length)] : []))

function timeOf(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new Error('a time of the certificate is none')
  return time
}

function readKey(pem: string): { key: KeyObject } | { why?: string } {
  try {
    return { key: createPrivateKey(pem) }
  } catch (error) {
    const isEncrypted = systemCodeOf(error) === 'ERR_MISSING_PASSPHRASE' || pem.includes('ENCRYPTED')
    return isEncrypted ? { why: 'it is encrypted' } : {}
  }
}

/** Messages of OpenSSL, such as `ee key too small`. They contain no values. */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof Error && 'reason' in error && typeof error.reason === 'string' ? error.reason : undefined
