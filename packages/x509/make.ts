/** Makes self-signed X.509 certificates (RFC 5280), as odd as a test wants them. */
import { pemOf, type Pair } from '@purlin/contract/rules/credentials/certificate-checks'
import { ECDSASigValue } from '@peculiar/asn1-ecc'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_extKeyUsage,
  id_ce_subjectAltName,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import { keyInPem, linesOf } from './pem.ts'

/** What differs from a certificate of a day before now until a year after. */
export interface MadeCertificate {
  commonName?: string
  dnsNames?: readonly string[]
  notBefore?: Date
  notAfter?: Date
  /** Object ids of the extended key usage. */
  purposes?: readonly string[]
  /** An RSA key of so many bits; the key is one of P-256 unless given. */
  rsaBits?: number
}

const dayMs = 24 * 60 * 60_000
const { subtle } = crypto
const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]) }

/** A certificate and its key in PEM. */
export async function makeCertificate(of: MadeCertificate): Promise<Pair> {
  const { notBefore = new Date(Date.now() - dayMs), notAfter = new Date(Date.now() + 365 * dayMs) } = of
  const { commonName = 'test', dnsNames = [], purposes = [], rsaBits } = of
  const algorithm = rsaBits === undefined ? p256 : { ...rsa, modulusLength: rsaBits }
  const keys = await subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const signature =
    rsaBits === undefined
      ? new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })
      : new AlgorithmIdentifier({ algorithm: '1.2.840.113549.1.1.11', parameters: null })
  const name = nameOf(commonName)
  const extensions = extensionsOf(dnsNames, purposes)
  const body = new TBSCertificate({
    version: Version.v3,
    serialNumber: crypto.getRandomValues(new Uint8Array(8)).fill(1, 0, 1).buffer,
    signature,
    issuer: name,
    validity: new Validity({ notBefore, notAfter }),
    subject: name,
    subjectPublicKeyInfo: AsnConvert.parse(
      await subtle.exportKey('spki', keys.publicKey),
      SubjectPublicKeyInfo,
    ),
    ...(extensions.length > 0 ? { extensions: new Extensions(extensions) } : {}),
  })
  const raw = await subtle.sign(algorithm, keys.privateKey, AsnConvert.serialize(body))
  const whole = new Certificate({
    tbsCertificate: body,
    signatureAlgorithm: signature,
    signatureValue: rsaBits === undefined ? ecdsaOf(raw) : raw,
  })
  const key = await subtle.exportKey('pkcs8', keys.privateKey)
  return {
    cert: pemOf(`\n${linesOf(AsnConvert.serialize(whole))}`),
    key: keyInPem('PRIVATE KEY', key),
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

function extensionsOf(dnsNames: readonly string[], purposes: readonly string[]): Extension[] {
  const names = new SubjectAlternativeName(dnsNames.map((dNSName) => new GeneralName({ dNSName })))
  return [
    ...(dnsNames.length > 0 ? [extension(id_ce_subjectAltName, names)] : []),
    ...(purposes.length > 0 ? [extension(id_ce_extKeyUsage, new ExtendedKeyUsage([...purposes]))] : []),
  ]
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
