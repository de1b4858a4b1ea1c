import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, type Caller } from '#/testing/roles.ts'
import { testCertificate, testChain } from '#/testing/certificates.ts'
import { disorder, dump } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
})
afterAll(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

type Made = ReturnType<typeof testCertificate>
const add = (body: Made, who: Who = 'admin') => w.as(who).certificateCreate({ body })
const view = (certificate: string, who: Who = 'admin') =>
  w.as(who).certificateView({ params: { certificate } })
const remove = (certificate: string, who: Who = 'admin') =>
  w.as(who).certificateDelete({ params: { certificate } })
const names = async (who: Who = 'admin') =>
  (await w.as(who).certificateList({ query: {} })).items.map(({ name }) => name)
const ofOther = (name: string) => testCertificate(name, { dnsNames: ['other.sys.purlin.internal'] })

const notAdmins = {
  collaborator: 403,
  viewer: 403,
  noRole: 403,
  projectAdmin: 403,
  projectCollaborator: 403,
  projectViewer: 403,
  anonymous: 401,
} as const
const hidden = Object.fromEntries(
  Object.entries(notAdmins).map(([who, status]) => [who, status === 403 ? 404 : status]),
) as Partial<Record<Caller, number>>

describe('the certificates of a silo', () => {
  it('are added, listed, viewed and deleted; the view has the fields of the certificate, not its key', async () => {
    const body = testCertificate('web', {
      subject: 'C=CH\nCN=web',
      dnsNames: ['*.sys.purlin.internal', 'x.y'],
    })
    const made = await add({ ...body, description: 'of the console' })
    expect(made).toEqual({
      id: expect.any(String) as string,
      name: 'web',
      description: 'of the console',
      timeCreated: new Date(w.clock.now()),
      timeModified: new Date(w.clock.now()),
      cert: body.cert,
      service: 'external_api',
      subject: 'C=CH, CN=web',
      issuer: 'CN=authority',
      dnsNames: ['*.sys.purlin.internal', 'x.y'],
      notBefore: new Date('2026-01-01T00:00:00Z'),
      notAfter: new Date('2027-01-01T00:00:00Z'),
    })
    expect(await w.as('admin').certificateList({ query: {} })).toEqual({ items: [made], nextPage: null })
    expect(await view('web')).toEqual(made)
    expect(await view(made.id.toUpperCase())).toEqual(made)
    await remove('web')
    expect(await names()).toEqual([])
    await expect(view('web')).rejects.toMatchObject({
      status: 404,
      message: 'not found: certificate with name "web"',
    })
  })

  it('only its administrators list and add them; for others they do not exist', async () => {
    const { id } = await add(testCertificate('web'))
    const listed = await answers(w, (client) => client.certificateList({ query: {} }))
    expect(listed).toEqual({ ...notAdmins, admin: 'ok', fleetAdmin: 'ok', stranger: 'ok' })
    const made = await answers(w, (client, name) => client.certificateCreate({ body: testCertificate(name) }))
    // The stranger's silo has another host.
    expect(made).toEqual({ ...notAdmins, admin: 'ok', fleetAdmin: 'ok', stranger: 400 })
    for (const certificate of ['web', id]) {
      const params = { certificate }
      const shown = await answers(w, (client) => client.certificateView({ params }))
      expect(shown).toEqual({ ...hidden, admin: 'ok', fleetAdmin: 'ok', stranger: 404 })
    }
    const deleted = await answers(w, (client, name) =>
      client.certificateDelete({ params: { certificate: name } }),
    )
    expect(deleted).toEqual({ ...hidden, admin: 'ok', fleetAdmin: 'ok', stranger: 404 })
    await remove('web')
  })

  it('an administrator of the fleet finds those of other silos by their ids, and their names not', async () => {
    const { id } = await add(ofOther('theirs'), 'stranger')
    expect(await view(id, 'fleetAdmin')).toMatchObject({ id })
    await expect(view('theirs', 'fleetAdmin')).rejects.toMatchObject({ status: 404 })
    for (const who of ['admin', 'noRole'] as const)
      await expect(remove(id, who)).rejects.toMatchObject({
        status: 404,
        message: `not found: certificate with id "${id}"`,
      })
    expect(await names('fleetAdmin')).toEqual([])
    await remove(id, 'fleetAdmin')
    expect(await names('stranger')).toEqual([])
  })

  it('names are unique in a silo, and lists page by name', async () => {
    for (const name of ['c', 'a', 'b']) await add(testCertificate(name))
    await add(ofOther('a'), 'stranger')
    await expect(add(testCertificate('a'))).rejects.toMatchObject({
      status: 400,
      code: 'ObjectAlreadyExists',
      message: 'already exists: certificate "a"',
    })
    const first = await w.as('admin').certificateList({ query: { limit: 2 } })
    expect(first.items.map(({ name }) => name)).toEqual(['a', 'b'])
    const rest = await w.as('admin').certificateList({ query: { limit: 2, pageToken: first.nextPage ?? '' } })
    expect(rest.items.map(({ name }) => name)).toEqual(['c'])
    for (const name of ['a', 'b', 'c']) await remove(name)
    await remove('a', 'stranger')
  })
})

const host = 'acme.sys.purlin.internal'
const certificate = (reason: string) => [`unsupported value for "certificate": ${reason}`, reason] as const
const key = (reason: string) => [`unsupported value for "private-key": ${reason}`, reason] as const

describe('a certificate', () => {
  const bad: [string, Partial<Made>, readonly [string, string]][] = [
    ['that is none', { cert: 'certificate {' }, certificate('Failed to parse certificate')],
    ['that is empty', { cert: '' }, certificate('Certificate exists, but is empty')],
    [
      'that has expired',
      { cert: testChain({ notAfter: Date.parse('2026-01-02T03:04:05Z') }) },
      certificate('Certificate exists, but is expired'),
    ],
    [
      'of an authority that has expired',
      { cert: testChain({}, { notAfter: 0 }) },
      certificate('Certificate exists, but is expired'),
    ],
    [
      'with more authorities than anybody needs',
      { cert: testChain(...Array.from({ length: 11 }, () => ({}))) },
      certificate('The chain has more than 10 certificates'),
    ],
    [
      'of another host',
      { cert: testChain({ dnsNames: ['acme.sys.other', '*.purlin.internal', 'sys.purlin.internal'] }) },
      certificate(
        `Certificate not valid for given hostnames ${host}: ` +
          'it has acme.sys.other, *.purlin.internal, sys.purlin.internal',
      ),
    ],
    [
      'whose common name is that of the silo, and its alternative names are not',
      { cert: testChain({ dnsNames: ['a.b'], commonName: host }) },
      certificate(`Certificate not valid for given hostnames ${host}: it has a.b`),
    ],
    [
      'without any name',
      { cert: testChain({ dnsNames: [] }) },
      certificate(`Certificate not valid for given hostnames ${host}: it has none`),
    ],
    [
      'with more names than anybody needs',
      { cert: testChain({ dnsNames: [host, ...Array.from({ length: 1000 }, (_, i) => `n${i}.test`)] }) },
      certificate('Certificate has more than 1000 names'),
    ],
    [
      'of a client',
      { cert: testChain({ purposes: ['1.3.6.1.5.5.7.3.2'] }) },
      certificate('Unsupported certificate purpose (not usable for server auth)'),
    ],
    [
      'on a curve that clients refuse',
      { cert: testChain({ keyFacts: { type: 'ec', curve: 'secp256k1', signs: true } }) },
      certificate(
        'Certificate cannot be served: its key is on the curve secp256k1: use one of P-256, P-384, P-521',
      ),
    ],
    [
      'whose key spells out its curve',
      { cert: testChain({ keyFacts: { type: 'ec', curve: 'explicit', signs: true } }) },
      certificate(
        'Certificate cannot be served: its key spells out the parameters of its curve: ' +
          'use a key on a named curve, such as P-256',
      ),
    ],
    [
      'whose key must not sign',
      { cert: testChain({ keyFacts: { type: 'rsa', signs: false } }) },
      certificate('Certificate cannot be served: its key usage does not include digital signatures'),
    ],
    [
      'with a key that TLS has no use for',
      { cert: testChain({ keyFacts: { type: 'x25519', signs: true } }) },
      certificate('Certificate cannot be served: TLS does not use keys of type x25519'),
    ],
    [
      'with a private key in it',
      { cert: `${testChain({})}\n-----BEGIN PRIVATE KEY-----` },
      certificate('Failed to parse certificate: there is a private key in it, which must be given apart'),
    ],
    ['with a text that is no key', { key: 'hello' }, key('Failed to parse private key')],
    ['with an encrypted key', { key: 'encrypted x' }, key('Failed to parse private key: it is encrypted')],
    ['with the key of another', { key: 'key other' }, key('Certificate and private key do not match')],
    [
      'that TLS would not take',
      testCertificate('bad', { key: 'small' }),
      certificate('Certificate cannot be served: the key is too small'),
    ],
  ]
  it.each(bad)('%s is refused', async (_, wrong, [message]) => {
    const before = await dump(w)
    const refused = { status: 400, code: 'InvalidValue', message }
    await expect(add({ ...testCertificate('bad'), ...wrong })).rejects.toMatchObject(refused)
    expect(await dump(w)).toEqual(before)
  })

  const good: [string, Parameters<typeof testCertificate>[1]][] = [
    ['with a wildcard', { dnsNames: ['*.SYS.purlin.internal'] }],
    ['whose common name is its only one', { dnsNames: [], commonName: host }],
    ['for servers and clients', { purposes: ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1'] }],
    ['that begins to be valid later', { notBefore: Date.parse('2026-06-01T00:00:00Z') }],
  ]
  it.each(good)('%s is accepted', async (_, more) => {
    await add(testCertificate('good', more))
    await remove('good')
  })

  it('is limited in length, and so is its key', async () => {
    const long = 'x'.repeat(64 * 1024 + 1)
    for (const wrong of [{ cert: long }, { key: long }])
      await expect(add({ ...testCertificate('bad'), ...wrong })).rejects.toMatchObject({ status: 400 })
  })

  it('has a subject and names of one line and limited length, for any content', async () => {
    const made = await add(
      testCertificate('odd', { subject: `CN=\u0007${'x'.repeat(5000)}`, dnsNames: [host, 'a\rb'] }),
    )
    expect(made.subject).toHaveLength(1024)
    expect(made.subject).toMatch(/^CN= x/)
    expect(made.dnsNames).toEqual([host, 'a b'])
    await remove('odd')
  })
})

describe('the key of a certificate', () => {
  const secret = 'very-secret'
  it('is in no answer, error or entry of the audit log', async () => {
    const fine = testCertificate('kept', { key: secret })
    const texts: string[] = []
    const ask = async (method: string, url: string, body?: unknown) => {
      const sent = { method, url, who: 'admin' as const }
      texts.push((await w.raw({ ...sent, ...(body ? { body: JSON.stringify(body) } : {}) })).text)
    }
    // The certificates of tests name their keys.
    const shown = (text: string) => text.replaceAll(`\\"key\\":\\"${secret}\\"`, '')
    await ask('POST', '/v1/certificates', fine)
    await ask('POST', '/v1/certificates', fine)
    await ask('POST', '/v1/certificates', { ...fine, name: 'b', cert: testChain({ key: 'b' }) })
    await ask('POST', '/v1/certificates', { ...fine, name: 'b', key: `BEGIN ${secret}` })
    await ask('POST', '/v1/certificates', { ...fine, name: 'b', key: [`key ${secret}`] })
    await ask('GET', '/v1/certificates')
    await ask('GET', '/v1/certificates/kept')
    await ask('DELETE', '/v1/certificates/kept')
    await w.settle()
    const from = 'start_time=2026-01-01T00:00:00Z&end_time=2027-01-01T00:00:00Z&limit=1000'
    texts.push((await w.raw({ url: `/v1/system/audit-log?${from}`, who: 'fleetAdmin' })).text)
    expect(texts.at(-1)).toContain('certificate_create')
    expect(texts.map(shown).filter((text) => text.includes(secret))).toEqual([])
  })
})

describe('a new silo', () => {
  const research = {
    name: 'research',
    description: '',
    discoverable: true,
    identityMode: 'local_only' as const,
    quotas: { cpus: 1, memory: 0, storage: 0 },
  }
  const create = (...tlsCertificates: Made[]) =>
    w.as('fleetAdmin').siloCreate({ body: { ...research, tlsCertificates } })
  const own = (name: string) => testCertificate(name, { dnsNames: ['research.sys.purlin.internal'] })
  const stored = () =>
    w.world.engine.transaction('read', (tx) =>
      tx.selectFrom('certificate').select(['name', 'siloId']).execute(),
    )

  it('is made with its certificates, which go with it', async () => {
    const { id } = await create(own('first'), own('second'))
    const params = { silo: 'research' }
    const expires = new Date('2027-01-01T00:00:00Z')
    expect(await w.as('fleetAdmin').siloView({ params })).toMatchObject({ certificateExpires: expires })
    expect(await stored()).toEqual([
      { name: 'first', siloId: id },
      { name: 'second', siloId: id },
    ])
    await w.as('fleetAdmin').siloDelete({ params })
    expect(await stored()).toEqual([])
  })

  it('is not made if one of them is wrong, or two have the same name, and the error says which', async () => {
    const before = await dump(w)
    await expect(create(own('first'), testCertificate('second'))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('research.sys.purlin.internal') as string,
      entry: { list: 'tls_certificates', index: 1, name: 'second' },
    })
    await expect(create(own('same'), own('same'))).rejects.toMatchObject({
      status: 400,
      message: 'already exists: certificate "same"',
      entry: { list: 'tls_certificates', index: 1, name: 'same' },
    })
    expect(await dump(w)).toEqual(before)
  })
})

it('without a reader of certificates, none are added, and the answer has the reason', async () => {
  const blind = await openWorld({ certificates: null })
  const refused = { status: 503, message: 'Service Unavailable: certificates cannot be read here' }
  const body = testCertificate('web')
  await expect(blind.as('admin').certificateCreate({ body })).rejects.toMatchObject(refused)
  await blind.close()
})
