/** Private keys in PEM, and what WebCrypto makes of them. */
import { explicitCurve } from '@purlin/contract/rules/credentials/certificate-checks'
import { ECParameters, ECPrivateKey } from '@peculiar/asn1-ecc'
import { PrivateKey, PrivateKeyInfo } from '@peculiar/asn1-pkcs8'
import { AsnConvert } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { bytesOf } from './pem.ts'

/** A key of either kind: its type, the curve of elliptic ones, and its bytes as WebCrypto takes them. */
export interface Key {
  type: string
  curve?: string
  der: ArrayBuffer
}

const rsaEncryption = '1.2.840.113549.1.1.1'
const ecPublicKey = '1.2.840.10045.2.1'
const types: Record<string, string> = {
  [rsaEncryption]: 'rsa',
  '1.2.840.113549.1.1.10': 'rsa-pss',
  [ecPublicKey]: 'ec',
  '1.2.840.10040.4.1': 'dsa',
  '1.3.101.110': 'x25519',
  '1.3.101.111': 'x448',
  '1.3.101.112': 'ed25519',
  '1.3.101.113': 'ed448',
}
const curves: Record<string, string> = {
  '1.2.840.10045.3.1.1': 'P-192',
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.10': 'secp256k1',
  '1.3.132.0.33': 'P-224',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
  '1.3.36.3.3.2.8.1.1.7': 'brainpoolP256r1',
  '1.3.36.3.3.2.8.1.1.11': 'brainpoolP384r1',
  '1.3.36.3.3.2.8.1.1.13': 'brainpoolP512r1',
}
const curvesOfWebCrypto: readonly (string | undefined)[] = ['P-256', 'P-384', 'P-521']
const objectIdentifier = 0x06

/** The type of a key, and its curve. */
export function algorithmOf({ algorithm, parameters }: AlgorithmIdentifier): Omit<Key, 'der'> {
  const type = types[algorithm] ?? algorithm
  if (type !== 'ec' || !parameters) return { type }
  if (new Uint8Array(parameters)[0] !== objectIdentifier) return { type, curve: explicitCurve }
  const { namedCurve = '' } = AsnConvert.parse(parameters, ECParameters)
  return { type, curve: curves[namedCurve] ?? namedCurve }
}

/** The private key of a text in PEM: PKCS #8, or the older forms of RSA and of elliptic curves. */
export function readKey(pem: string): { key: Key } | { why?: string } {
  if (pem.includes('ENCRYPTED')) return { why: 'it is encrypted' }
  const [, form = '', text = ''] =
    /-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([^-]*)-----END \1-----/.exec(pem) ?? []
  try {
    const info = wrapped(form, bytesOf(text).buffer)
    const algorithm = algorithmOf(info.privateKeyAlgorithm)
    if (algorithm.type === 'rsa-pss')
      info.privateKeyAlgorithm = new AlgorithmIdentifier({ algorithm: rsaEncryption, parameters: null })
    return { key: { ...algorithm, der: AsnConvert.serialize(info) } }
  } catch {
    return {}
  }
}

/** The key in PKCS #8 (RFC 5958). Throws for what is none. */
function wrapped(form: string, der: ArrayBuffer): PrivateKeyInfo {
  const info = (algorithm: string, parameters: ArrayBuffer | null) =>
    new PrivateKeyInfo({
      privateKeyAlgorithm: new AlgorithmIdentifier({ algorithm, parameters }),
      privateKey: new PrivateKey(der),
    })
  if (form === 'RSA PRIVATE KEY') return info(rsaEncryption, null)
  if (form === 'PRIVATE KEY') return AsnConvert.parse(der, PrivateKeyInfo)
  const { parameters } = AsnConvert.parse(der, ECPrivateKey)
  if (!parameters) throw new Error('the key does not say its curve')
  return info(ecPublicKey, AsnConvert.serialize(parameters))
}

const usages = { pkcs8: ['sign'], spki: ['verify'] } as const

/** How WebCrypto calls the algorithm of a key, or undefined. */
function nameOf({ type, curve }: Key) {
  if (type === 'rsa' || type === 'rsa-pss') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  if (type === 'ec' && curvesOfWebCrypto.includes(curve)) return { name: 'ECDSA', namedCurve: curve }
  return type === 'ed25519' ? { name: 'Ed25519' } : undefined
}

/** A key as a JSON web key, with its public parts. */
export async function jwkOf(format: 'pkcs8' | 'spki', key: Key) {
  const algorithm = nameOf(key)
  if (!algorithm) return 'unsupported'
  try {
    const imported = await crypto.subtle.importKey(format, key.der, algorithm, true, [...usages[format]])
    return await crypto.subtle.exportKey('jwk', imported)
  } catch (error) {
    return error instanceof Error && error.name === 'NotSupportedError' ? 'unsupported' : 'unreadable'
  }
}
