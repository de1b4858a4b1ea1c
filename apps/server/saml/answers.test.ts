import { SamlRefused } from '@purlin/core/ports'
import { describe, expect, it } from 'vitest'
import { assertionXml, base64, newProvider, onCurve, responseXml, signed } from '../testing/saml-provider.ts'
import { readAnswer } from './answers.ts'

const provider = newProvider()
const other = newProvider()
const read = (xml: string) => readAnswer(base64(xml), [provider.certificate])
const plain = responseXml(assertionXml())
const fine = signed(provider, plain)

const facts = {
  destination: 'https://purlin.example.org/acs',
  inResponseTo: '_request',
  responseIssuer: 'https://idp.example.org',
  assertion: {
    id: '_assertion',
    issuer: 'https://idp.example.org',
    issueInstant: Date.parse('2026-01-02T03:04:05Z'),
    subject: 'ann@example.org',
    confirmations: [
      {
        method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
        recipient: 'https://purlin.example.org/acs',
        inResponseTo: '_request',
        notBefore: undefined,
        notOnOrAfter: Date.parse('2026-01-02T03:09:05.5Z'),
      },
    ],
    notBefore: Date.parse('2026-01-02T03:04:05Z'),
    notOnOrAfter: Date.parse('2026-01-02T03:09:05Z'),
    audiences: [['https://purlin.example.org']],
    sessionNotOnOrAfter: Date.parse('2026-01-02T11:04:05Z'),
    attributes: [{ name: 'groups', values: ['admins', 'dev,ops'] }],
  },
}

describe('an answer is read', () => {
  it('if its assertion is signed, or the whole', async () => {
    expect(await read(fine)).toEqual(facts)
    expect(await read(signed(provider, plain, { signs: 'Response' }))).toEqual(facts)
    const both = signed(provider, signed(provider, plain), { signs: 'Response' })
    expect(await read(both)).toEqual(facts)
  })

  it('with any of the certificates, so that new ones count before old ones no longer do', async () => {
    const certificates = [other.certificate, provider.certificate]
    expect(await readAnswer(base64(fine), certificates)).toEqual(facts)
  })

  it.each([
    ['P-256', 'sha256'],
    ['P-384', 'sha384'],
    ['P-521', 'sha512'],
  ])('with a key on %s', async (curve, hash) => {
    const signer = newProvider(onCurve(curve))
    const signature = `http://www.w3.org/2001/04/xmldsig-more#ecdsa-${hash}`
    const xml = signed(signer, plain, { signature })
    const certificates = [provider.certificate, signer.certificate]
    expect(await readAnswer(base64(xml), certificates)).toEqual(facts)
    const changed = base64(xml.replace('ann@example.org', 'admin@example.org'))
    await expect(readAnswer(changed, certificates)).rejects.toThrow('Invalid signature')
    await expect(readAnswer(base64(xml), [newProvider(onCurve(curve)).certificate])).rejects.toThrow(
      'Invalid',
    )
  })

  it('with SHA-384', async () => {
    const more = 'http://www.w3.org/2001/04/xmldsig-more#'
    expect(
      await read(signed(provider, plain, { signature: `${more}rsa-sha384`, digest: `${more}sha384` })),
    ).toEqual(facts)
  })

  it('in base64 of several lines', async () => {
    const lines = base64(fine).replaceAll(/.{76}/g, '$&\r\n')
    expect(await readAnswer(lines, [provider.certificate])).toEqual(facts)
  })
})

const evil = assertionXml('admin@example.org', '_evil')
const [signedAssertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/.exec(fine) ?? []
const [signature = ''] = /<Signature.*<\/Signature>/.exec(fine) ?? []
/** Signature wrapping (Somorovsky et al., On Breaking SAML): the signed assertion is moved, and another one takes its place. */
const wrapped: [string, string][] = [
  ['two assertions, the forged one first', responseXml(evil + signedAssertion)],
  ['two assertions, the forged one last', responseXml(signedAssertion + evil)],
  [
    'the signed one within the forged one',
    responseXml(evil.replace('</saml:Assertion>', `${signedAssertion}</saml:Assertion>`)),
  ],
  [
    'the signed one in the signature of the forged one',
    responseXml(
      evil.replace(
        '<saml:Subject>',
        `${signature.replace('</Signature>', `<Object>${signedAssertion}</Object></Signature>`)}<saml:Subject>`,
      ),
    ),
  ],
  [
    'the signed one in the extensions of the response',
    responseXml(evil).replace(
      '<samlp:Status>',
      `<samlp:Extensions>${signedAssertion}</samlp:Extensions><samlp:Status>`,
    ),
  ],
  [
    'the forged one with the same id',
    responseXml(assertionXml('admin@example.org') + signedAssertion.replace('_evil', '_assertion')),
  ],
  [
    'the forged one with the signature of the signed one, which is elsewhere',
    responseXml(
      assertionXml('admin@example.org', '_evil').replace('<saml:Subject>', `${signature}<saml:Subject>`),
    ).replace('<samlp:Status>', `<samlp:Extensions>${assertionXml()}</samlp:Extensions><samlp:Status>`),
  ],
]

describe('an answer is refused', () => {
  const refused = async (xml: string, reason: RegExp | string) => {
    const outcome = await read(xml).catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(SamlRefused)
    expect((outcome as SamlRefused).message).toMatch(reason)
  }

  it('without a signature, with that of another, and once it has been changed', async () => {
    await refused(plain, /^Invalid signature/)
    await refused(signed(other, plain), /^Invalid signature/)
    await refused(fine.replace('ann@example.org', 'admin@example.org'), /^Invalid signature/)
    await refused(fine.replace('>admins<', '>owners<'), /^Invalid signature/)
    await refused(fine.replace(/<Signature .*<\/Signature>/, ''), /^Invalid signature/)
    await refused(fine.replace(/<SignatureValue>.*<\/SignatureValue>/, '<SignatureValue/>'), /signature/i)
    await refused(fine.replace(/<SignedInfo>.*<\/SignedInfo>/, ''), /./)
  })

  it.each(wrapped)('with %s', async (_, xml) => {
    await refused(xml, /./)
  })

  it('with a key that it brings itself', async () => {
    const forged = signed(other, responseXml(assertionXml('admin@example.org')))
    const info = `<KeyInfo><X509Data><X509Certificate>${other.certificate}</X509Certificate></X509Data></KeyInfo>`
    await refused(forged.replace('</Signature>', `${info}</Signature>`), /^Invalid signature/)
  })

  it('with SHA-1, for signature or digest, and with the key as a secret', async () => {
    const sha1 = 'http://www.w3.org/2000/09/xmldsig#'
    await refused(signed(provider, plain, { signature: `${sha1}rsa-sha1` }), /algorithm.*rsa-sha1/)
    await refused(signed(provider, plain, { digest: `${sha1}sha1` }), /algorithm.*#sha1/)
    const hmac = fine.replace('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', `${sha1}hmac-sha1`)
    await refused(hmac, /algorithm.*hmac-sha1/)
  })

  it('with an algorithm of another type than that of the key', async () => {
    const more = 'http://www.w3.org/2001/04/xmldsig-more#'
    const curved = newProvider(onCurve('P-256'))
    for (const [one, signature] of [
      [provider, `${more}ecdsa-sha256`],
      [curved, `${more}rsa-sha384`],
      [newProvider(onCurve('secp256k1')), `${more}ecdsa-sha256`],
    ] as const)
      await expect(readAnswer(base64(signed(one, plain, { signature })), [one.certificate])).rejects.toThrow(
        'Invalid signature',
      )
  })

  it('with a comment in the name of a user, although the signature is valid', async () => {
    const name = 'admin@example.org.evil.example'
    const cut = signed(provider, responseXml(assertionXml(name))).replace('org.evil', 'org<!---->.evil')
    await refused(cut, /comment/)
    await refused(fine.replace('ann@', '<![CDATA[ann@]]>'), /CDATA/)
    await refused(fine.replace('ann@', 'ann<?x y?>@'), /processing instruction/)
  })

  it('with a document type: entities are neither expanded nor fetched', async () => {
    const bomb = `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "&a;&a;&a;&a;">`).join('')}]>`
    const external = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    for (const type of [bomb, external, '<!DOCTYPE r SYSTEM "http://127.0.0.1/x.dtd">', '<!doctype r>'])
      await refused(type + fine, /document type/)
    await refused(fine.replace('ann@', '&x;@'), /no XML|signature/i)
    const utf16 = Buffer.from(`\ufeff${external}${fine}`, 'utf16le').toString('base64')
    await expect(readAnswer(utf16, [provider.certificate])).rejects.toThrow(/not UTF-8|no XML/)
  })

  it('that is no response of SAML, or no success', async () => {
    await refused('<a/>', 'it is no response')
    await refused('', /base64/)
    await refused('nonsense', /no XML/)
    await refused('<a><b></a>', /no XML/)
    await refused(signedAssertion, 'it is no response')
    await refused(fine.replaceAll('SAML:2.0:protocol', 'SAML:1.1:protocol'), 'it is no response')
    await refused(responseXml(''), /assertion|signature/i)
    const denied = 'urn:oasis:names:tc:SAML:2.0:status:Responder'
    await refused(responseXml('', denied), /status is .*Responder/)
    // The status is not signed, but a change of it can do no more than refuse.
    await refused(signed(provider, responseXml(assertionXml(), denied)), /status is .*Responder/)
    await expect(readAnswer('%%%', [provider.certificate])).rejects.toThrow('it is not base64')
    await expect(readAnswer(base64(fine), ['nonsense'])).rejects.toThrow(SamlRefused)
  })

  it('with elements that are very many or very deep', async () => {
    await refused(responseXml('<a/>'.repeat(1200)), 'it has more than 1200 elements')
    const deep = 1100
    const nested = '<a>'.repeat(deep) + '</a>'.repeat(deep)
    await refused(
      fine.replace('<samlp:Status>', `${nested}<samlp:Status>`),
      'it is more than 32 elements deep',
    )
  })

  it('with an encrypted assertion: there is no key for one', async () => {
    const encrypted = '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'
    await refused(responseXml(encrypted), /decryption key/)
  })
})
