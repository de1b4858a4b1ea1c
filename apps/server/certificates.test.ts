import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { systemCertificates } from './certificates.ts'
import { makeCertificate, pemOf } from './testing/certificates.ts'

const read = (pem: string) => systemCertificates.read(pem)
const pair = (of: { cert: string; key: string }) => systemCertificates.pair(of)
const usual = makeCertificate({ commonName: 'web', dnsNames: ['a.test', '*.b.test'] })

describe('a certificate that is read', () => {
  it('says whom it is for, from when until when, and for what', () => {
    const [notBefore, notAfter] = [new Date('2026-02-03T04:05:06Z'), new Date('2051-02-03T04:05:06Z')]
    const purposes = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1']
    const { cert } = makeCertificate({ commonName: 'x', dnsNames: ['a.test'], notBefore, notAfter, purposes })
    expect(read(cert)).toEqual([
      {
        subject: 'CN=x',
        issuer: 'CN=x',
        commonName: 'x',
        dnsNames: ['a.test'],
        notBefore: notBefore.getTime(),
        notAfter: notAfter.getTime(),
        purposes,
      },
    ])
  })

  it('is one of a chain, in its order, with texts between', () => {
    const chain = `the first\r\n${usual.cert.replaceAll('\n', '\r\n')}\nthe second\n${makeCertificate({}).cert}`
    expect(read(chain).map(({ commonName }) => commonName)).toEqual(['web', 'test'])
  })

  it('is not there in a text without any', () => {
    for (const text of ['', 'hello', usual.key]) expect(read(text)).toEqual([])
  })

  it.each([
    ['without an end', usual.cert.slice(0, -30)],
    ['of bytes that are none', pemOf(Buffer.from('hello'))],
    ['of bytes that end early', pemOf(Buffer.from(usual.cert.split('\n').slice(1, 4).join(''), 'base64'))],
    ['of text that is not base64', usual.cert.replace(/\n\w{4}/, '\n<>?!')],
    ['whose second one is broken', usual.cert + usual.cert.replace(/\n\w{20}/, '\n')],
    ['of nothing', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----'],
    ['of many beginnings', '-----BEGIN CERTIFICATE-----'.repeat(2000)],
  ])('%s is none', (_, pem) => {
    expect(() => read(pem)).toThrow(Error)
  })

  it('has no name of DNS with a comma or a quote in it', () => {
    const odd = makeCertificate({ dnsNames: ['a.test, DNS:b.test', 'c"d', 'e.test'] })
    const [facts] = read(odd.cert)
    expect(facts?.dnsNames).toEqual(['e.test'])
  })

  it('may have thousands of names', () => {
    const { cert } = makeCertificate({ dnsNames: Array.from({ length: 3000 }, (_, i) => `n${i}.test`) })
    expect(read(cert)[0]?.dnsNames).toHaveLength(3000)
  })
})

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength })
const encrypted = generateKeyPairSync('ed25519').privateKey.export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'secret',
}) as string

describe('a key', () => {
  it.each([
    ['of P-256', usual],
    ['of RSA', makeCertificate({ keys: rsa(2048) })],
  ])('%s fits its certificate', (_, made) => {
    expect(pair(made)).toEqual({ is: 'fits' })
  })

  it('of another certificate of the chain does not fit', () => {
    const other = makeCertificate({})
    expect(pair({ cert: usual.cert + other.cert, key: other.key })).toEqual({ is: 'another' })
  })

  it.each([
    ['hello', {}],
    ['', {}],
    ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', {}],
    [usual.cert, {}],
    [encrypted, { why: 'it is encrypted' }],
    ['-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n', { why: 'it is encrypted' }],
  ])('%s cannot be read', (key, more) => {
    expect(pair({ cert: usual.cert, key })).toEqual({ is: 'unreadable', ...more })
  })

  it('that is too weak, or so long that handshakes would wait, is refused', () => {
    expect(pair(makeCertificate({ keys: rsa(1024) }))).toEqual({ is: 'refused', why: 'ee key too small' })
    const why = 'a key of RSA may have at most 4096 bits'
    expect(pair(makeCertificate({ keys: rsa(4104) }))).toEqual({ is: 'refused', why })
  })
})
