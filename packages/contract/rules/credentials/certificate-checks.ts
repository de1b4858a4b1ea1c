/** The checks of a certificate and its key. The server and the forms that send certificates run the same ones. */
import { covers } from './certificates.ts'
import { limits } from '../limits.ts'
import { quoted } from '../messages.ts'

/** The fields of one certificate of a chain. */
export interface CertificateFacts {
  /** Distinguished names, one part a line. */
  subject: string
  issuer: string
  commonName: string | undefined
  /** The DNS names among its alternative names. */
  dnsNames: string[]
  /** ms since 1970 */
  notBefore: number
  notAfter: number
  /** The object ids of its extended key usage; none if it is for any purpose. */
  purposes: string[]
  key: PublicKeyFacts
}

/** The facts of a certificate's key. */
export interface PublicKeyFacts {
  /** As `rsa`, `rsa-pss`, `ec` or `ed25519`; the object id of others. */
  type: string
  /** The curve of an `ec` key: `P-256`, the object id of one without a name here, or `explicitCurve`. */
  curve?: string
  /** False if its key usage does not include digital signatures, which every handshake needs. */
  signs: boolean
}

/** The curve of a key that spells out its parameters and names none. */
export const explicitCurve = 'explicit'

/** A chain of certificates and the private key of its first, both in PEM. */
export interface Pair {
  cert: string
  key: string
}

/** Reads X.509 certificates and private keys in PEM. */
export interface Certificates {
  /** The certificates of a chain, in order; empty if the text has none. Rejects other content. */
  read(pem: string): Promise<CertificateFacts[]>
  /**
   * How a key fits the first certificate of a chain: `refused` if TLS would not accept the two. `why` is for people
   * and repeats nothing of the key.
   */
  pair(of: Pair): Promise<{ is: 'fits' | 'unreadable' | 'another' | 'refused'; why?: string }>
}

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'

/** The texts between the marks of each certificate of a chain in PEM (RFC 7468). Throws if one does not end. */
export const blocksOf = (pem: string): string[] =>
  pem
    .split(begin)
    .slice(1)
    .map((block) => {
      const length = block.indexOf(end)
      if (length === -1) throw new Error('a certificate does not end')
      return block.slice(0, length)
    })

/** The text of a certificate in PEM. */
export const pemOf = (block: string): string => `${begin}${block}${end}\n`

/** The accepted types of keys. */
export interface KeyFacts {
  /** As `rsa`, `ec` or `ed25519`. */
  type: string
  /** Bits of an RSA key, 0 of others. */
  bits: number
}
const usableKeys: readonly string[] = ['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448']

/** Why TLS does not use a key, or undefined. */
export function keyProblem({ type, bits }: KeyFacts): string | undefined {
  if (!usableKeys.includes(type)) return `TLS does not use keys of type ${type}`
  const { least, most } = limits.certificate.rsaBits
  if (bits > most) return `a key of RSA may have at most ${most} bits`
  return bits > 0 && bits < least ? `a key of RSA must have at least ${least} bits` : undefined
}

/** The curves that clients of TLS accept in certificates (RFC 8446, section 4.2.3). */
const servedCurves: readonly string[] = ['P-256', 'P-384', 'P-521']

/** Why every handshake with a certificate would fail, or undefined. */
function servingProblem({ key: { type, curve, signs } }: CertificateFacts): string | undefined {
  if (!signs) return 'its key usage does not include digital signatures'
  if (!usableKeys.includes(type)) return `TLS does not use keys of type ${type}`
  if (type !== 'ec' || (curve !== undefined && servedCurves.includes(curve))) return undefined
  return curve === explicitCurve
    ? 'its key spells out the parameters of its curve: use a key on a named curve, such as P-256'
    : `its key is on the curve ${curve}: use one of ${servedCurves.join(', ')}`
}

/** The kind of a key that TLS accepts and common browsers refuse, or undefined. */
export function keyThatBrowsersRefuse({ key: { type, curve } }: CertificateFacts): string | undefined {
  if (type === 'ec') return curve === 'P-521' ? curve : undefined
  return type === 'rsa' ? undefined : type
}

/** True if handshakes succeed with a certificate and its key. It may have expired. */
export async function isServable(reader: Certificates, pair: Pair): Promise<boolean> {
  try {
    const [leaf] = await reader.read(pair.cert)
    return leaf !== undefined && servingProblem(leaf) === undefined && (await reader.pair(pair)).is === 'fits'
  } catch {
    return false
  }
}

/** The field of a request that something is wrong with, and what. */
export interface CertificateProblem {
  field: 'certificate' | 'private-key'
  reason: string
}
const wrongCertificate = (reason: string): CertificateProblem => ({ field: 'certificate', reason })
const cannotBeServed = (why: string | undefined) => `Certificate cannot be served: ${why}`
const wrongKey = (reason: string): CertificateProblem => ({ field: 'private-key', reason })

/** The purpose of TLS servers (RFC 5280, 4.2.1.12). */
const serverAuth = '1.3.6.1.5.5.7.3.1'

/** The first certificate of a chain, or why the chain cannot be served at any host. */
export async function readLeaf(
  reader: Certificates,
  cert: string,
  now: number,
): Promise<CertificateFacts | CertificateProblem> {
  // Every user who may see the certificate would also see the key.
  if (cert.includes('PRIVATE KEY'))
    return wrongCertificate(
      'Failed to parse certificate: there is a private key in it, which must be given apart',
    )
  // Messages of libraries may repeat their input.
  const chain = await reader.read(cert).catch(() => undefined)
  if (!chain) return wrongCertificate('Failed to parse certificate')
  const [leaf] = chain
  if (!leaf) return wrongCertificate('Certificate exists, but is empty')
  const most = limits.certificate.chain
  if (chain.length > most) return wrongCertificate(`The chain has more than ${most} certificates`)
  if (chain.some(({ notAfter }) => notAfter <= now))
    return wrongCertificate('Certificate exists, but is expired')
  if (leaf.purposes.length > 0 && !leaf.purposes.includes(serverAuth))
    return wrongCertificate('Unsupported certificate purpose (not usable for server auth)')
  const problem = servingProblem(leaf)
  return problem === undefined ? leaf : wrongCertificate(cannotBeServed(problem))
}

/** The names that a certificate is for. */
export const namesOf = ({ dnsNames, commonName }: CertificateFacts): string[] =>
  dnsNames.length > 0 || commonName === undefined ? dnsNames : [commonName]

/** Why a certificate is not for a host, or undefined. */
export function nameProblem(facts: CertificateFacts, host: string): CertificateProblem | undefined {
  const most = limits.certificate.names
  if (facts.dnsNames.length > most) return wrongCertificate(`Certificate has more than ${most} names`)
  const names = namesOf(facts)
  if (names.some((name) => covers(name, host))) return undefined
  const found = names.length === 0 ? 'it has none' : `it has ${names.slice(0, 10).map(oneLine).join(', ')}`
  return wrongCertificate(`Certificate not valid for given hostnames ${host}: ${quoted(found)}`)
}

/** The problem with a private key or its certificate, or undefined. */
export async function pairProblem(reader: Certificates, pair: Pair): Promise<CertificateProblem | undefined> {
  const { is, why } = await reader.pair(pair)
  switch (is) {
    case 'fits':
      return undefined
    case 'unreadable':
      return wrongKey(['Failed to parse private key', why].filter(Boolean).join(': '))
    case 'another':
      return wrongKey('Certificate and private key do not match')
    case 'refused':
      return wrongCertificate(cannotBeServed(why))
  }
}

/** A name of a certificate in one line of limited length. */
export const oneLine = (text: string): string =>
  text
    .trim()
    .replaceAll('\n', ', ')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, limits.certificate.subject)
