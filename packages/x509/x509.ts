/** The port for certificates, wherever there is WebCrypto: in browsers and in Node. */
import {
  blocksOf,
  keyProblem,
  type CertificateFacts,
  type Certificates,
  type KeyFacts,
} from '@purlin/contract/rules/credentials/certificate-checks'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  Certificate,
  ExtendedKeyUsage,
  id_ce_extKeyUsage,
  id_ce_subjectAltName,
  SubjectAlternativeName,
  type Name,
} from '@peculiar/asn1-x509'
import { algorithmOf, jwkOf, readKey } from './keys.ts'
import { publicKeyFactsOf } from './public-key.ts'
import { bytesOf } from './pem.ts'

/** Reads certificates with WebCrypto. What OpenSSL alone would refuse in a handshake is not seen here. */
export const webCertificates: Certificates = {
  read: async (pem) => parsed(pem).map(factsOf),
  pair: async ({ cert, key }) => {
    const read = readKey(key)
    if (!('key' in read)) return { is: 'unreadable', ...read }
    const [leaf] = parsed(cert)
    const spki = leaf?.tbsCertificate.subjectPublicKeyInfo
    if (!spki || algorithmOf(spki.algorithm).type !== read.key.type) return { is: 'another' }
    const mine = await jwkOf('pkcs8', read.key)
    if (mine === 'unreadable') return { is: 'unreadable' }
    const its = await jwkOf('spki', { ...algorithmOf(spki.algorithm), der: AsnConvert.serialize(spki) })
    const facts: KeyFacts = { type: read.key.type, bits: bitsOf(mine) }
    if (mine === 'unsupported' || its === 'unsupported' || its === 'unreadable')
      return { is: 'refused', why: keyProblem(facts) ?? `keys of type ${facts.type} cannot be checked here` }
    if (publicParts.some((part) => mine[part] !== its[part])) return { is: 'another' }
    const why = keyProblem(facts)
    return why === undefined ? { is: 'fits' } : { is: 'refused', why }
  },
}

const publicParts = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const

const bitsOf = (jwk: Awaited<ReturnType<typeof jwkOf>>): number =>
  typeof jwk === 'object' && jwk.n !== undefined ? Math.floor((jwk.n.length * 6) / 8) * 8 : 0

/** The certificates in a text. Throws for what is not one. */
const parsed = (pem: string): Certificate[] =>
  blocksOf(pem).map((block) => AsnConvert.parse(bytesOf(block), Certificate))

function factsOf(certificate: Certificate) {
  const { subject, issuer, validity, extensions = [] } = certificate.tbsCertificate
  const valueOf = (id: string) => [...extensions].find(({ extnID }) => extnID === id)?.extnValue
  const [names, purposes] = [valueOf(id_ce_subjectAltName), valueOf(id_ce_extKeyUsage)]
  const alternatives = names ? AsnConvert.parse(names, SubjectAlternativeName) : []
  const facts: CertificateFacts = {
    subject: textOf(subject),
    issuer: textOf(issuer),
    commonName: [...subject]
      .flatMap((parts) => [...parts])
      .findLast(({ type }) => type === '2.5.4.3')
      ?.value.toString(),
    dnsNames: [...alternatives].flatMap(({ dNSName }) => (dNSName && isPlain(dNSName) ? [dNSName] : [])),
    notBefore: validity.notBefore.getTime().getTime(),
    notAfter: validity.notAfter.getTime().getTime(),
    purposes: purposes ? [...AsnConvert.parse(purposes, ExtendedKeyUsage)] : [],
    key: publicKeyFactsOf(certificate),
  }
  if (Number.isNaN(facts.notBefore) || Number.isNaN(facts.notAfter))
    throw new Error('a time of the certificate is none')
  return facts
}

/** Names with other characters are none of DNS. */
const isPlain = (name: string): boolean => /^[^"',\\\s]+$/.test(name)

/** Attributes of names as they are usually abbreviated (RFC 4514, section 3, and what OpenSSL adds). */
const attributes: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'street',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.42': 'GN',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
}

/** A distinguished name, one part a line, with escapes of RFC 4514. */
const textOf = (name: Name): string =>
  [...name]
    .map((parts) =>
      [...parts]
        .map(({ type, value }) => `${attributes[type] ?? type}=${escaped(value.toString())}`)
        .join(' + '),
    )
    .join('\n')

const escaped = (text: string): string => text.replaceAll(/[,+"\\<>;]|^[# ]| $/g, String.raw`\$&`)
