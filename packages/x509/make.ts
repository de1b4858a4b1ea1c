/** Makes X.509 certificates (RFC 5280), signed by themselves or by an authority, as odd as a test wants them. */
import { blocksOf, pemOf, type Pair } from '@purlin/contract/rules/credentials/certificate-checks'
import { ECDSASigValue, ECPrivateKey } from '@peculiar/asn1-ecc'
import { PrivateKeyInfo } from '@peculiar/asn1-pkcs8'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import { readKey } from './keys.ts'
import { bytesOf, keyInPem, linesOf } from './pem.ts'

/** The differences from a certificate that is valid from a day ago until a year from now. */
export interface MadeCertificate {
  commonName?: string
  dnsNames?: readonly string[]
  notBefore?: Date
  notAfter?: Date
  /** Object ids of the extended key usage. */
  purposes?: readonly string[]
  /** An RSA key of that many bits. */
  rsaBits?: number
  /** P-256 unless given. */
  keyOf?: 'P-256' | 'P-384' | 'P-521' | 'Ed25519'
  /** The public key that it is for, in PEM (SPKI), whose private part is elsewhere: then the answer has no key. */
  publicKey?: string
  /** An EC key in PEM (PKCS #8) that WebCrypto cannot make. The signature is then by a key of P-256. */
  key?: string
  keyUsage?: number
  /** The authority that signs it, with a key of P-256: it signs itself unless given. */
  by?: Pair
  /** It may sign other certificates. */
  isAuthority?: boolean
}

const dayMs = 24 * 60 * 60_000
const { subtle } = crypto
const ecdsa = { name: 'ECDSA', hash: 'SHA-256' }
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]) }

function algorithmsOf({ rsaBits, keyOf = 'P-256' }: MadeCertificate) {
  if (rsaBits !== undefined)
    return {
      algorithm: { ...rsa, modulusLength: rsaBits },
      signature: new AlgorithmIdentifier({ algorithm: '1.2.840.113549.1.1.11', parameters: null }),
    }
  if (keyOf === 'Ed25519')
    return {
      algorithm: { name: keyOf },
      signature: new AlgorithmIdentifier({ algorithm: '1.3.101.112' }),
    }
  return {
    algorithm: { ...ecdsa, namedCurve: keyOf },
    signature: ecdsaWithSha256(),
  }
}

const ecdsaWithSha256 = () => new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })

/** The name and the key of an authority. Throws for a key that is not one of P-256. */
async function authorityOf({ cert, key }: Pair) {
  const [block = ''] = blocksOf(cert)
  const read = readKey(key)
  if (!('key' in read)) throw new Error('the key of the authority cannot be read')
  const algorithm = { ...ecdsa, namedCurve: 'P-256' }
  return {
    name: AsnConvert.parse(bytesOf(block), Certificate).tbsCertificate.subject,
    algorithm,
    key: await subtle.importKey('pkcs8', read.key.der, algorithm, false, ['sign']),
  }
}

/** The public part of an EC key in PEM. */
function publicPartOf(pem: string): SubjectPublicKeyInfo {
  const info = AsnConvert.parse(bytesOf(pem.replaceAll(/-.*-/g, '')), PrivateKeyInfo)
  const { publicKey } = AsnConvert.parse(info.privateKey.buffer, ECPrivateKey)
  if (!publicKey) throw new Error('the key lacks its public part')
  return new SubjectPublicKeyInfo({ algorithm: info.privateKeyAlgorithm, subjectPublicKey: publicKey })
}

/** The public key that a certificate is for. Throws for text that is none of the curve P-256. */
async function publicInfoOf(
  { key, publicKey }: MadeCertificate,
  made: CryptoKey,
): Promise<SubjectPublicKeyInfo> {
  if (key !== undefined) return publicPartOf(key)
  const read = publicKey === undefined ? made : await publicKeyIn(publicKey)
  return AsnConvert.parse(await subtle.exportKey('spki', read), SubjectPublicKeyInfo)
}

const publicKeyIn = (pem: string): Promise<CryptoKey> =>
  subtle.importKey('spki', bytesOf(pem.replaceAll(/-.*-|\s/g, '')), { ...ecdsa, namedCurve: 'P-256' }, true, [
    'verify',
  ])

/** A certificate and its key in PEM. */
export async function makeCertificate(of: MadeCertificate): Promise<Pair> {
  const { notBefore = new Date(Date.now() - dayMs), notAfter = new Date(Date.now() + 365 * dayMs) } = of
  const { algorithm, signature } = algorithmsOf(of)
  const keys = (await subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
  const name = nameOf(of.commonName ?? 'test')
  const authority = of.by && (await authorityOf(of.by))
  const extensions = extensionsOf(of)
  const body = new TBSCertificate({
    version: Version.v3,
    serialNumber: crypto.getRandomValues(new Uint8Array(8)).fill(1, 0, 1).buffer,
    signature: authority ? ecdsaWithSha256() : signature,
    issuer: authority?.name ?? name,
    validity: new Validity({ notBefore, notAfter }),
    subject: name,
    subjectPublicKeyInfo: await publicInfoOf(of, keys.publicKey),
    ...(extensions.length > 0 ? { extensions: new Extensions(extensions) } : {}),
  })
  const signer = authority ?? { algorithm, key: keys.privateKey }
  const raw = await subtle.sign(signer.algorithm, signer.key, AsnConvert.serialize(body))
  const whole = new Certificate({
    tbsCertificate: body,
    signatureAlgorithm: body.signature,
    signatureValue: signer.algorithm.name === 'ECDSA' ? ecdsaOf(raw) : raw,
  })
  return {
    cert: pemOf(`\n${linesOf(AsnConvert.serialize(whole))}`),
    key:
      of.publicKey === undefined
        ? (of.key ?? keyInPem('PRIVATE KEY', await subtle.exportKey('pkcs8', keys.privateKey)))
        : '',
  }
}

const nameOf = (commonName: string): Name =>
  new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({
        type: '2.5.4.3',
        value: new AttributeValue({ utf8String: commonName }),
      }),
    ]),
  ])

function extensionsOf({
  dnsNames = [],
  purposes = [],
  keyUsage,
  isAuthority = false,
}: MadeCertificate): Extension[] {
  const names = new SubjectAlternativeName(dnsNames.map((dNSName) => new GeneralName({ dNSName })))
  return [
    ...(dnsNames.length > 0 ? [extension(id_ce_subjectAltName, names)] : []),
    ...(purposes.length > 0 ? [extension(id_ce_extKeyUsage, new ExtendedKeyUsage([...purposes]))] : []),
    ...(isAuthority
      ? [
          critical(id_ce_basicConstraints, new BasicConstraints({ cA: true })),
          critical(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign)),
        ]
      : []),
    ...(keyUsage === undefined ? [] : [extension(id_ce_keyUsage, new KeyUsage(keyUsage))]),
  ]
}

/** An extension that must be understood. */
const critical = (extnID: string, value: unknown): Extension => {
  const made = extension(extnID, value)
  made.critical = true
  return made
}

const extension = (extnID: string, value: unknown): Extension =>
  new Extension({ extnID, extnValue: new OctetString(AsnConvert.serialize(value)) })

/** The signature of WebCrypto, two numbers of one length, as X.509 has it. */
function ecdsaOf(raw: ArrayBuffer): ArrayBuffer {
  const half = raw.byteLength / 2
  const signature = new ECDSASigValue()
  signature.r = unsigned(raw.slice(0, half))
  signature.s = unsigned(raw.slice(half))
  return AsnConvert.serialize(signature)
}

/** A number without needless zeros, and with one if it would be negative otherwise. */
function unsigned(number: ArrayBuffer): ArrayBuffer {
  const bytes = new Uint8Array(number)
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = bytes.slice(first)
  return (digits[0] ?? 0) < 0x80 ? digits.buffer : new Uint8Array([0, ...digits]).buffer
}
