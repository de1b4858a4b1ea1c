/** The test suite of every implementation of the port for certificates. */
import {
  isServable,
  pemOf,
  readLeaf,
  type CertificateFacts,
  type Certificates,
  type Pair,
} from '@purlin/contract/rules/credentials/certificate-checks'
import { beforeAll, describe, expect, it } from 'vitest'
import { AsnConvert } from '@peculiar/asn1-schema'
import { ECParameters, ECPrivateKey } from '@peculiar/asn1-ecc'
import { PrivateKeyInfo } from '@peculiar/asn1-pkcs8'
import { KeyUsageFlags } from '@peculiar/asn1-x509'
import { bytesOf, keyInPem } from './pem.ts'
import { makeCertificate, type MadeCertificate } from './make.ts'
import { oddKeys } from './odd-keys.ts'

/** A key of Ed25519 that takes a passphrase. */
const encrypted = [
  'MIGjMF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBD9xYT71Px8W4dXzi85',
  'yTN0AgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQ3dwqBZKPoP1fqiHv',
  'o+ixnARAoj7FlIzFk849vXF9Ad0PM+8oH3ZVsYqNSurcPqydftTDG3TLKtSoVohF',
  'c6b7CQ7kdUZqflN/ZkxRtshJzGowxA==',
].join('\n')

/** A key of PKCS #8 as it was written before: PKCS #1 of RSA, SEC 1 of elliptic curves. */
function olderForm(pem: string): string {
  const info = AsnConvert.parse(bytesOf(pem.replaceAll(/-.*-/g, '')), PrivateKeyInfo)
  const { parameters } = info.privateKeyAlgorithm
  if (!parameters || parameters.byteLength < 3) return keyInPem('RSA PRIVATE KEY', info.privateKey.buffer)
  const key = AsnConvert.parse(info.privateKey.buffer, ECPrivateKey)
  key.parameters = AsnConvert.parse(parameters, ECParameters)
  return keyInPem('EC PRIVATE KEY', AsnConvert.serialize(key))
}

let usual: Pair
let other: Pair

/** Registers the tests of an implementation. */
export function certificatesSuite(name: string, reader: Certificates): void {
  beforeAll(async () => {
    usual = await makeCertificate({ commonName: 'web', dnsNames: ['a.test', '*.b.test'] })
    other = await makeCertificate({})
  })
  readSuite(name, reader)
  publicKeySuite(name, reader)
  pairSuite(name, reader)
}

function readSuite(name: string, reader: Certificates): void {
  const facts = async (pem: string): Promise<CertificateFacts | undefined> => (await reader.read(pem))[0]

  describe(`${name}: a certificate that is read`, () => {
    it('says whom it is for, from when until when, and for what', async () => {
      const [notBefore, notAfter] = [new Date('2026-02-03T04:05:06Z'), new Date('2051-02-03T04:05:06Z')]
      const purposes = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1']
      const of = { commonName: 'x', dnsNames: ['a.test'], notBefore, notAfter, purposes }
      const { cert } = await makeCertificate(of)
      expect(await reader.read(cert)).toEqual([
        {
          subject: 'CN=x',
          issuer: 'CN=x',
          commonName: 'x',
          dnsNames: ['a.test'],
          notBefore: notBefore.getTime(),
          notAfter: notAfter.getTime(),
          purposes,
          key: { type: 'ec', curve: 'P-256', signs: true },
        },
      ])
    })

    it('is one of a chain, in its order, with texts between', async () => {
      const chain = `the first\r\n${usual.cert.replaceAll('\n', '\r\n')}\nthe second\n${other.cert}`
      const read = await reader.read(chain)
      expect(read.map(({ commonName }) => commonName)).toEqual(['web', 'test'])
    })

    it('is not there in a text without any', async () => {
      for (const text of ['', 'hello', usual.key]) expect(await reader.read(text)).toEqual([])
    })

    const broken: [string, () => string][] = [
      ['without an end', () => usual.cert.slice(0, -30)],
      ['of bytes that are none', () => pemOf('\naGVsbG8=\n')],
      ['of bytes that end early', () => pemOf(`\n${usual.cert.split('\n').slice(1, 4).join('\n')}\n`)],
      ['of text that is not base64', () => usual.cert.replace(/\n\w{4}/, '\n<>?!')],
      ['whose second one is broken', () => usual.cert + usual.cert.replace(/\n\w{20}/, '\n')],
      ['of nothing', () => pemOf('\n')],
      ['of many beginnings', () => '-----BEGIN CERTIFICATE-----'.repeat(2000)],
    ]
    it.each(broken)('%s is none', async (_, pem) => {
      await expect(reader.read(pem())).rejects.toThrow(Error)
    })

    it('has no name of DNS with a comma or a quote in it', async () => {
      const odd = await makeCertificate({ dnsNames: ['a.test, DNS:b.test', 'c"d', 'e.test'] })
      expect((await facts(odd.cert))?.dnsNames).toEqual(['e.test'])
    })

    it('may have thousands of names', async () => {
      const { cert } = await makeCertificate({
        dnsNames: Array.from({ length: 3000 }, (_, i) => `n${i}.test`),
      })
      expect((await facts(cert))?.dnsNames).toHaveLength(3000)
    })

    it.each(['Grün & Söhne', 'Nuts, Bolts + Co', 'a "b" \\c', '#1'])(
      'has a subject of one line for each part: %s',
      async (commonName) => {
        const text = commonName.replaceAll(/[,+"\\<>;]|^#/g, String.raw`\$&`)
        const { cert } = await makeCertificate({ commonName })
        expect(await facts(cert)).toMatchObject({ subject: `CN=${text}`, issuer: `CN=${text}` })
      },
    )
  })
}

function publicKeySuite(name: string, reader: Certificates): void {
  const keyOf = async (of: MadeCertificate) => (await reader.read((await makeCertificate(of)).cert))[0]?.key

  describe(`${name}: the key of a certificate that is read`, () => {
    it.each([
      ['P-384', { keyOf: 'P-384' }, { type: 'ec', curve: 'P-384' }],
      ['P-521', { keyOf: 'P-521' }, { type: 'ec', curve: 'P-521' }],
      ['Ed25519', { keyOf: 'Ed25519' }, { type: 'ed25519' }],
      ['RSA', { rsaBits: 2048 }, { type: 'rsa' }],
      ['secp256k1', { key: oddKeys.secp256k1 }, { type: 'ec', curve: 'secp256k1' }],
      ['brainpoolP256r1', { key: oddKeys.brainpoolP256r1 }, { type: 'ec', curve: 'brainpoolP256r1' }],
      ['P-224', { key: oddKeys['P-224'] }, { type: 'ec', curve: 'P-224' }],
      ['spelled out parameters', { key: oddKeys.explicit }, { type: 'ec', curve: 'explicit' }],
    ] as const)('of %s is named', async (_, of, key) => {
      expect(await keyOf(of)).toEqual({ ...key, signs: true })
    })

    it.each([
      ['digital signatures', KeyUsageFlags.digitalSignature, true],
      ['signatures among others', KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true],
      ['key agreement', KeyUsageFlags.keyAgreement, false],
      ['signatures of certificates', KeyUsageFlags.keyCertSign, false],
    ])('for %s may sign handshakes or not', async (_, keyUsage, signs) => {
      expect((await keyOf({ keyUsage }))?.signs).toBe(signs)
    })

    it.each([
      ['on another curve', { key: oddKeys.secp256k1 }, /its key is on the curve secp256k1/],
      ['of a curve that is spelled out', { key: oddKeys.explicit }, /its key spells out the parameters/],
      ['that must not sign', { keyUsage: KeyUsageFlags.keyAgreement }, /does not include digital signatures/],
    ])('%s makes the certificate unusable', async (_, of, reason) => {
      const pair = await makeCertificate(of)
      expect(await readLeaf(reader, pair.cert, Date.now())).toEqual({
        field: 'certificate',
        reason: expect.stringMatching(reason) as string,
      })
      expect(await isServable(reader, pair)).toBe(false)
    })
  })
}

function pairSuite(name: string, reader: Certificates): void {
  describe(`${name}: a key`, () => {
    it('of P-256 or RSA fits its certificate, and in its older form too', async () => {
      for (const pair of [usual, await makeCertificate({ rsaBits: 2048 })])
        for (const key of [pair.key, olderForm(pair.key)])
          expect(await reader.pair({ ...pair, key })).toEqual({ is: 'fits' })
    })

    it('of another certificate of the chain, or of another kind, does not fit', async () => {
      const ofRsa = await makeCertificate({ rsaBits: 2048 })
      for (const { key } of [other, ofRsa])
        expect(await reader.pair({ cert: usual.cert + other.cert, key })).toEqual({ is: 'another' })
    })

    const unreadable: [string, () => string, { why?: string }][] = [
      ['that is none', () => 'hello', {}],
      ['of nothing', () => '', {}],
      ['of bytes that are none', () => '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', {}],
      ['that is a certificate', () => usual.cert, {}],
      [
        'with a passphrase',
        () => keyInPem('ENCRYPTED PRIVATE KEY', bytesOf(encrypted).buffer),
        { why: 'it is encrypted' },
      ],
      [
        'with a passphrase in the older form',
        () => '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n',
        { why: 'it is encrypted' },
      ],
    ]
    it.each(unreadable)('%s cannot be read', async (_, key, more) => {
      expect(await reader.pair({ cert: usual.cert, key: key() })).toEqual({ is: 'unreadable', ...more })
    })

    it('that is too weak, or so long that handshakes would wait, is refused', async () => {
      const [weak, long] = [
        await makeCertificate({ rsaBits: 1024 }),
        await makeCertificate({ rsaBits: 4104 }),
      ]
      const [least, most] = ['must have at least 2048 bits', 'may have at most 4096 bits']
      expect(await reader.pair(weak)).toEqual({ is: 'refused', why: `a key of RSA ${least}` })
      expect(await reader.pair(long)).toEqual({ is: 'refused', why: `a key of RSA ${most}` })
    })
  })
}
