import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { inflateRawSync } from 'node:zlib'
import { createVerify, X509Certificate } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { SamlRefused } from '@purlin/core/ports'
import { portOf } from '../http/listening.ts'
import { metadataXml, newProvider, onCurve } from '../testing/saml-provider.ts'
import { createMetadataFetching } from './fetch-metadata.ts'
import { readMetadata } from './metadata.ts'
import { keyPairProblem, requestUrl, serviceMetadata } from './service-provider.ts'

const idp = 'https://idp.example.org'
const [first, second] = [newProvider(), newProvider()]

describe('the metadata of a provider', () => {
  it('has its address and certificates', () => {
    const { certificates, ...rest } = readMetadata(metadataXml([first.certificate, second.certificate]), idp)
    expect(rest).toEqual({ entityId: idp, signOnUrl: 'https://idp.example.org/sso?x=1' })
    expect(certificates.map(({ der }) => der)).toEqual([first.certificate, second.certificate])
    expect(certificates[0]).toMatchObject({
      subject: 'CN=idp',
      fingerprint: new X509Certificate(Buffer.from(first.certificate, 'base64')).fingerprint256,
    })
  })

  it('may be one of several', () => {
    const bare = (xml: string) => xml.replace(/^<\?.*\?>\n<!--.*-->\n/, '')
    const all = [
      metadataXml([first.certificate], 'https://a.example.org'),
      metadataXml([second.certificate], 'https://b.example.org'),
    ]
    const xml = `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${all.map(bare).join('')}</md:EntitiesDescriptor>`
    expect(readMetadata(xml, 'https://b.example.org').certificates[0]?.der).toBe(second.certificate)
    expect(() => readMetadata(xml, idp)).toThrow(
      `it is not of ${idp}, but of https://a.example.org, https://b.example.org`,
    )
  })

  const fine = metadataXml([first.certificate])
  const bad: [string, string, RegExp][] = [
    ['of another provider', fine.replace(idp, 'https://evil.example.org'), /but of https:\/\/evil/],
    [
      'without a provider',
      fine.replaceAll('IDPSSODescriptor', 'SPSSODescriptor'),
      /no md:IDPSSODescriptor section/,
    ],
    ['without a signing key', metadataXml([]), /no signing key found in IDP metadata/],
    ['with a key to encrypt alone', fine.replace('use="signing"', 'use="encryption"'), /no signing key/],
    [
      'without a redirect',
      fine.replaceAll('HTTP-Redirect', 'HTTP-Artifact'),
      /zero redirect binding locations/,
    ],
    [
      'that leads to a script',
      fine.replace('https://idp.example.org/sso?x=1', 'javascript:alert(1)'),
      /no address of the web/,
    ],
    ['with a broken certificate', metadataXml(['AAAA']), /cannot be read/],
    [
      'with many certificates',
      metadataXml(Array.from({ length: 11 }, () => first.certificate)),
      /more than 10/,
    ],
    [
      'with a document type',
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${fine}`,
      /document type/,
    ],
    ['that is no XML', 'hello', /no XML/],
    ['that is something else', '<html/>', /no md:EntityDescriptor section/],
  ]
  it.each(bad)('%s is refused', (_, xml, reason) => {
    expect(() => readMetadata(xml, idp)).toThrow(reason)
    expect(() => readMetadata(xml, idp)).toThrow(SamlRefused)
  })

  it('with keys on other curves alone is refused, because such signatures are not supported', () => {
    const [known, unknown] = ['P-521', 'secp256k1'].map((curve) => newProvider(onCurve(curve)).certificate)
    expect(() => readMetadata(metadataXml([unknown ?? '']), idp)).toThrow('none of its signing keys')
    const { certificates } = readMetadata(metadataXml([known ?? '', unknown ?? '']), idp)
    expect(certificates.map(({ der }) => der)).toEqual([known])
  })
})

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
async function page(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response))
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${portOf(server)}/metadata`
}

describe('metadata at an address', () => {
  const loopback = { refused: [], allowed: ['127.0.0.0/8'] }
  const fetchIt = createMetadataFetching(loopback)

  it('is read', async () => {
    expect(await fetchIt(await page((response) => response.end('<größe/>')))).toEqual({ xml: '<größe/>' })
  })

  it('is not followed elsewhere, and other answers are reported by their status', async () => {
    const moved = await page((response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end())
    expect(await fetchIt(moved)).toEqual({ status: 302 })
    expect(await fetchIt(await page((response) => response.writeHead(404).end()))).toEqual({ status: 404 })
  })

  it('is limited in time and size', async () => {
    const short = createMetadataFetching({ ...loopback, totalMs: 50 })
    expect(await short(await page(() => undefined))).toEqual({ failure: 'no answer within 0.05 seconds' })
    const endless = await page((response) => void response.write('x'))
    expect(await short(endless)).toEqual({ failure: 'no answer within 0.05 seconds' })
    const large = await page((response) => response.end('x'.repeat(600_000)))
    expect(await fetchIt(large)).toEqual({ failure: 'it has more than 524288 bytes' })
  })

  it('is never requested from an address that is refused', async () => {
    let visits = 0
    const url = await page((response) => {
      visits++
      response.end()
    })
    const guarded = createMetadataFetching({ refused: ['10.20.0.0/16'], allowed: [] })
    const hosts = ['169.254.169.254', '10.20.0.1', '[::1]'].map((host) => `http://${host}/`)
    const addresses = [url, url.replace('127.0.0.1', 'localhost'), ...hosts]
    for (const address of addresses)
      expect(await guarded(address)).toEqual({ failure: expect.stringContaining('not allowed') as string })
    for (const address of ['file:///etc/passwd', 'nonsense', 'ftp://example.org/'])
      expect(await guarded(address)).toEqual({ failure: 'it is no address of the web' })
    expect(visits).toBe(0)
  })
})

const der = (pem: string) => pem.replaceAll(/-----.*-----|\s/g, '')
const keys = { publicCert: first.certificate, privateKey: der(first.key) }
const service = { entityId: 'https://purlin.example.org', acsUrl: 'https://purlin.example.org/acs' }

describe('the service', () => {
  it('asks with a request that names it, and signs it with its key', async () => {
    const request = { id: '_1', signOnUrl: 'https://idp.example.org/sso?x=1', relayState: 'e30=' }
    const unsigned = new URL(await requestUrl({ ...service, keys: undefined }, request))
    expect([...unsigned.searchParams.keys()]).toEqual(['x', 'SAMLRequest', 'RelayState'])
    const xml = inflateRawSync(
      Buffer.from(unsigned.searchParams.get('SAMLRequest') ?? '', 'base64'),
    ).toString()
    expect(xml).toContain(' ID="_1"')
    expect(xml).toContain(' AssertionConsumerServiceURL="https://purlin.example.org/acs"')
    expect(xml).toContain('>https://purlin.example.org</saml:Issuer>')
    const signedUrl = new URL(await requestUrl({ ...service, keys }, request))
    const text = signedUrl.search.slice(1).split('&').slice(1, 4).join('&')
    expect(text).toMatch(/^SAMLRequest=.*&RelayState=e30%3D&SigAlg=http.*rsa-sha256$/)
    const verifier = createVerify('sha256').update(text)
    const certificate = new X509Certificate(Buffer.from(first.certificate, 'base64'))
    expect(
      verifier.verify(certificate.publicKey, signedUrl.searchParams.get('Signature') ?? '', 'base64'),
    ).toBe(true)
  })

  it('has metadata, without its key', () => {
    const xml = serviceMetadata({ ...service, keys })
    expect(xml).toContain('entityID="https://purlin.example.org"')
    expect(xml).toContain('Location="https://purlin.example.org/acs"')
    expect(xml.replaceAll(/\s/g, '')).toContain(first.certificate)
    expect(xml).not.toContain('PRIVATE')
    expect(serviceMetadata({ ...service, keys: undefined })).toContain('AuthnRequestsSigned="false"')
  })

  it('takes a key that fits its certificate, and no other', () => {
    expect(keyPairProblem(keys)).toBeUndefined()
    const ec = newProvider(['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'])
    const wrong = [
      [{ ...keys, publicCert: 'AAAA' }, 'public_cert'],
      [{ ...keys, privateKey: 'AAAA' }, 'private_key'],
      [{ ...keys, privateKey: der(second.key) }, 'private_key'],
      [{ publicCert: ec.certificate, privateKey: der(ec.key) }, 'private_key'],
    ] as const
    for (const [pair, field] of wrong) expect(keyPairProblem(pair)).toMatchObject({ field })
    expect(keyPairProblem({ ...keys, privateKey: der(second.key) })?.reason).toBe(
      'data signed with key not verified with certificate!',
    )
  })
})
