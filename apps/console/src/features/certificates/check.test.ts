import { makeCertificate } from '@purlin/x509/make'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chainProblem, keyNote, keyProblem, leafOf, nameNote } from './check.ts'

const file = (text: string) => new File([text], 'web.pem')
const dayMs = 24 * 60 * 60_000
type Made = Awaited<ReturnType<typeof makeCertificate>>

describe('the files of a certificate', () => {
  let made: Made
  beforeAll(async () => {
    // Node has WebCrypto everywhere.
    vi.stubGlobal('isSecureContext', true)
    made = await makeCertificate({ dnsNames: ['acme.sys.a.test'] })
  })

  afterAll(() => {
    vi.unstubAllGlobals()
  })

  it('that fit are fine', async () => {
    expect(await chainProblem(file(made.cert))).toBeUndefined()
    expect(await keyProblem(file(made.key), file(made.cert))).toBeUndefined()
  })

  it('are refused with the text of the server if they are none, expired, or do not fit', async () => {
    const old = await makeCertificate({ notAfter: new Date(Date.now() - dayMs) })
    expect(await chainProblem(file('hello'))).toBe('Certificate exists, but is empty')
    expect(await chainProblem(file(made.cert.replace(/\n\w{9}/, '\n')))).toBe('Failed to parse certificate')
    expect(await chainProblem(file(old.cert))).toBe('Certificate exists, but is expired')
    expect(await keyProblem(file('hello'), file(made.cert))).toBe('Failed to parse private key')
    const other = 'Certificate and private key do not match'
    expect(await keyProblem(file(old.key), file(made.cert))).toBe(other)
  })

  it.each([
    ['P-256', undefined],
    ['P-521', /^Some browsers refuse keys of type P-521/],
    ['Ed25519', /^Some browsers refuse keys of type ed25519/],
  ] as const)('with a key of %s have the right warning', async (keyOf, warning) => {
    const leaf = await leafOf(file((await makeCertificate({ keyOf })).cert))
    if (!leaf || 'reason' in leaf) throw new Error('not read')
    const note = keyNote(leaf)
    if (warning) expect(note).toMatch(warning)
    else expect(note).toBeUndefined()
    const restricted = { ...leaf, key: { ...leaf.key, type: 'rsa-pss' } }
    expect(keyNote(restricted)).toMatch(/^Some browsers refuse keys of type rsa-pss/)
  })

  it('a key is not looked at before there is a chain that is fine', async () => {
    expect(await keyProblem(file('hello'), null)).toBeUndefined()
    expect(await keyProblem(file('hello'), file('hello'))).toBeUndefined()
  })

  it.each([
    ['acme', 'acme.sys.a.test', undefined],
    ['acme', 'other.sys.a.test', undefined],
    ['acme', 'localhost', undefined],
    ['', 'localhost', undefined],
    [
      'acme',
      'other.sys.b.test',
      'It is for acme.sys.a.test, but the host name of the silo is acme.sys.b.test.',
    ],
    ['other', 'localhost', 'It is for acme.sys.a.test, but the host name of the silo begins with other.sys.'],
  ])('of silo %j, read at %s, says: %s', async (silo, at, note) => {
    const leaf = await leafOf(file(made.cert))
    if (!leaf || 'reason' in leaf) throw new Error('not read')
    expect(nameNote(leaf, silo, at)).toBe(note)
  })
})
