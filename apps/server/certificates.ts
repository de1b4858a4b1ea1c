/** Core's port for certificates, with those of this process: OpenSSL reads them as the handshake does. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { limits } from '@purlin/contract/rules/limits'
import type { CertificateFacts, Certificates } from '@purlin/core/ports'

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'

export const systemCertificates: Certificates = {
  read: (pem) => parsed(pem).map(factsOf),
  pair({ cert, key }) {
    const read = readKey(key)
    if (!('key' in read)) return { is: 'unreadable', ...read }
    if (!parsed(cert)[0]?.checkPrivateKey(read.key)) return { is: 'another' }
    const why = problemOf(read.key)
    if (why !== undefined) return { is: 'refused', why }
    try {
      createSecureContext({ cert, key })
      return { is: 'fits' }
    } catch (error) {
      return { is: 'refused', why: reasonOf(error) ?? 'TLS does not accept it' }
    }
  },
}

const usable: readonly string[] = ['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448']

/** Why a key is not used, or undefined. OpenSSL itself refuses those that are too weak. */
function problemOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject) {
  const most = limits.certificate.rsaBits
  if (!usable.includes(type ?? '')) return `TLS does not use keys of type ${type}`
  return (details?.modulusLength ?? 0) > most ? `a key of RSA may have at most ${most} bits` : undefined
}

/** The certificates in a text. Throws for what is not one. */
function parsed(pem: string): X509Certificate[] {
  const [, ...blocks] = pem.split(begin)
  return blocks.map((block) => {
    const length = block.indexOf(end)
    if (length === -1) throw new Error('a certificate does not end')
    return new X509Certificate(`${begin}${block.slice(0, length)}${end}\n`)
  })
}

function factsOf(one: X509Certificate): CertificateFacts {
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
    const isEncrypted = codeOf(error) === 'ERR_MISSING_PASSPHRASE' || pem.includes('ENCRYPTED')
    return isEncrypted ? { why: 'it is encrypted' } : {}
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
/** What OpenSSL says, such as `ee key too small`: texts of its own, without any value. */
const reasonOf = (error: unknown): string | undefined => (error as { reason?: string }).reason
