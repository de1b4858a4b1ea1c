import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers } from '#/testing/roles.ts'
import { addProvider } from '#/testing/access/providers.ts'
import {
  acsUrl,
  entityId,
  serviceEntityId,
  signOnUrl,
  testMetadata,
  testSaml,
} from '#/testing/access/saml.ts'
import { deedOfLast } from '#/testing/audit/last-entry.ts'
import { disorder, dump } from '#/testing/state.ts'
import { certificatesIn } from './saml-providers.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'
import type { FetchedMetadata } from '#/ports.ts'

const url = 'https://idp.example.org/metadata'
const pages: Record<string, FetchedMetadata> = {}
let w: TestWorld
beforeAll(async () => {
  w = await openWorld({ saml: testSaml(pages) })
  await w.world.engine.transaction('write', (tx) =>
    tx.updateTable('silo').set({ identityMode: 'saml_jit' }).where('name', '=', 'acme').execute(),
  )
})
afterAll(async () => {
  await w.world.engine.transaction('write', (tx) =>
    tx.updateTable('silo').set({ identityMode: 'local_only' }).execute(),
  )
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const base64 = (text: string) => ({ type: 'base64_encoded_xml' as const, data: btoa(text) })
const bodyOf = (name: string) => ({
  name,
  description: 'for all',
  idpEntityId: entityId,
  spClientId: serviceEntityId,
  acsUrl,
  sloUrl: 'https://acme.example.org/slo',
  technicalContactEmail: 'it@example.org',
  idpMetadataSource: base64(testMetadata()),
})
type Body = Parameters<ReturnType<TestWorld['as']>['samlIdentityProviderCreate']>[0]['body']
const create = (body: Body, who: Who = 'admin', silo = 'acme') =>
  w.as(who).samlIdentityProviderCreate({ query: { silo }, body })
const named = (provider: string, silo: string | undefined = 'acme') => ({
  params: { provider },
  query: silo === undefined ? {} : { silo },
})
const view = (provider: string, who: Who = 'viewer') => w.as(who).samlIdentityProviderView(named(provider))
type Changes = Parameters<ReturnType<TestWorld['as']>['samlIdentityProviderUpdate']>[0]['body']
const update = (provider: string, body: Changes, who: Who = 'admin') =>
  w.as(who).samlIdentityProviderUpdate({ ...named(provider), body })
const remove = (provider: string, who: Who = 'admin') => w.as(who).samlIdentityProviderDelete(named(provider))
const list = (who: Who = 'noRole', silo = 'acme') => w.as(who).siloIdentityProviderList({ query: { silo } })

describe('an identity provider', () => {
  it('is created, listed, viewed, changed and deleted', async () => {
    const made = await create({ ...bodyOf('corp'), groupAttributeName: ' groups ' })
    const now = new Date(w.clock.now())
    expect(made).toEqual({
      id: expect.any(String) as string,
      name: 'corp',
      description: 'for all',
      timeCreated: now,
      timeModified: now,
      idpEntityId: entityId,
      spClientId: serviceEntityId,
      acsUrl,
      sloUrl: 'https://acme.example.org/slo',
      technicalContactEmail: 'it@example.org',
      groupAttributeName: 'groups',
      publicCert: null,
      metadata: {
        signOnUrl,
        certificates: [
          { subject: 'CN=key', fingerprint: 'AB:CD', notAfter: new Date('2027-01-01T00:00:00Z') },
        ],
        url: null,
        timeRead: now,
        failure: null,
      },
    })
    const { id, name, description, timeCreated, timeModified } = made
    expect(await list()).toEqual({
      items: [{ id, name, description, timeCreated, timeModified, providerType: 'saml' }],
      nextPage: null,
    })
    expect(await view('corp')).toEqual(made)
    expect(await w.as('viewer').samlIdentityProviderView({ params: { provider: id }, query: {} })).toEqual(
      made,
    )
    const changed = await update('corp', {
      name: 'company',
      acsUrl: 'https://other.example.org/acs',
      groupAttributeName: '',
    })
    expect(changed).toMatchObject({
      name: 'company',
      acsUrl: 'https://other.example.org/acs',
      groupAttributeName: null,
    })
    expect(changed).toMatchObject({ sloUrl: 'https://acme.example.org/slo', description: 'for all' })
    expect(await view('company')).toEqual(changed)
    await remove('company')
    expect((await list()).items).toEqual([])
    await expect(view('company')).rejects.toMatchObject({
      status: 404,
      message: 'not found: saml-identity-provider with name "company"',
    })
  })

  it('is found by id alone, or by name in a silo', async () => {
    const { id } = await create(bodyOf('corp'))
    await expect(w.as('viewer').samlIdentityProviderView(named(id))).rejects.toMatchObject({
      status: 400,
      message: 'when providing provider as an ID silo should not be specified',
    })
    const nameAlone = { params: { provider: 'corp' }, query: {} }
    await expect(w.as('viewer').samlIdentityProviderView(nameAlone)).rejects.toMatchObject({
      status: 400,
      message: 'provider should either be UUID or silo should be specified',
    })
    await expect(w.as('viewer').samlIdentityProviderView(named('corp', 'nope'))).rejects.toMatchObject({
      status: 404,
    })
    await remove('corp')
  })

  it('is seen by those who see the silo, and changed by its administrators', async () => {
    await create(bodyOf('corp'))
    const none = {
      noRole: 404,
      projectAdmin: 404,
      projectCollaborator: 404,
      projectViewer: 404,
      anonymous: 401,
      stranger: 404,
    }
    const all = { admin: 'ok', collaborator: 'ok', viewer: 'ok', fleetAdmin: 'ok' }
    const listed = await answers(w, (client) => client.siloIdentityProviderList({ query: { silo: 'acme' } }))
    expect(listed).toEqual({
      ...all,
      noRole: 'ok',
      projectAdmin: 'ok',
      projectCollaborator: 'ok',
      projectViewer: 'ok',
      anonymous: 401,
      stranger: 404,
    })
    expect(await answers(w, (client) => client.samlIdentityProviderView(named('corp')))).toEqual({
      ...none,
      ...all,
    })
    const changing = { ...none, ...all, collaborator: 403, viewer: 403 }
    const changed = await answers(w, (client) =>
      client.samlIdentityProviderUpdate({ ...named('corp'), body: { description: 'x' } }),
    )
    expect(changed).toEqual(changing)
    const made = await answers(w, (client, name) =>
      client.samlIdentityProviderCreate({ query: { silo: 'acme' }, body: bodyOf(name) }),
    )
    // Their own silo exists for them.
    const own = { noRole: 403, projectAdmin: 403, projectCollaborator: 403, projectViewer: 403 }
    expect(made).toEqual({ ...changing, ...own })
    const deleted = await answers(w, (client, name) => client.samlIdentityProviderDelete(named(name)))
    // Only those exist that the administrators have made.
    expect(deleted).toEqual({ ...none, collaborator: 404, viewer: 404, admin: 'ok', fleetAdmin: 'ok' })
    await expect(remove('corp', 'collaborator')).rejects.toMatchObject({ status: 403 })
    await remove('corp')
  })

  it('has a name that is unique in its silo', async () => {
    await create(bodyOf('corp'))
    const taken = {
      status: 400,
      code: 'ObjectAlreadyExists',
      message: 'already exists: identity-provider "corp"',
    }
    await expect(create(bodyOf('corp'))).rejects.toMatchObject(taken)
    await create(bodyOf('second'))
    await expect(update('second', { name: 'corp' })).rejects.toMatchObject(taken)
    await remove('second')
    await remove('corp')
  })

  it('is only for silos without local users', async () => {
    await expect(create(bodyOf('corp'), 'fleetAdmin', 'other')).rejects.toMatchObject({
      status: 400,
      code: 'InvalidRequest',
      message: 'cannot create SAML identity providers in silos with local users',
    })
    expect(await list('fleetAdmin', 'other')).toEqual({ items: [], nextPage: null })
  })

  it('has its former and new addresses in the audit log, and no key', async () => {
    await create(bodyOf('corp'))
    const change = async (body: Changes) => {
      await update('corp', body)
      return deedOfLast(w)
    }
    expect(await change({ acsUrl: 'https://other.example.org/acs' })).toBe(
      `changed the ACS URL of identity provider corp from ${acsUrl} to https://other.example.org/acs`,
    )
    expect(await change({ groupAttributeName: 'groups' })).toBe(
      'changed the group attribute of identity provider corp from none to groups',
    )
    expect(await change({})).toBe('edited SAML identity provider corp')
    await remove('corp')
  })

  it('is changed only as it was read', async () => {
    await create(bodyOf('corp'))
    const path = '/v1/system/identity-providers/saml/corp?silo=acme'
    const { headers } = await w.raw({ url: path, who: 'admin' })
    const put = (tag: string) =>
      w.raw({
        method: 'PUT',
        url: path,
        headers: { cookie: w.cookieOf('admin'), 'if-match': tag },
        body: JSON.stringify({ description: 'mine' }),
      })
    expect((await put(headers['etag'] ?? '')).status).toBe(200)
    expect((await put(headers['etag'] ?? '')).status).toBe(412)
    await remove('corp')
  })

  it('goes with its silo', async () => {
    const body = {
      name: 'research',
      description: '',
      discoverable: true,
      identityMode: 'saml_jit' as const,
      quotas: { cpus: 0, memory: 0, storage: 0 },
      tlsCertificates: [],
    }
    await w.as('fleetAdmin').siloCreate({ body })
    await create(bodyOf('corp'), 'fleetAdmin', 'research')
    await w.as('fleetAdmin').siloDelete({ params: { silo: 'research' } })
    const left = await w.world.engine.transaction('read', (tx) =>
      tx.selectFrom('samlProvider').select('id').execute(),
    )
    expect(left).toEqual([])
  })
})

describe('the key that signs requests', () => {
  const keys = { publicCert: 'der', privateKey: 'der' }
  it('is used, and never shown', async () => {
    expect(await create({ ...bodyOf('corp'), signingKeypair: keys })).toMatchObject({ publicCert: 'der' })
    expect(JSON.stringify(await view('corp'))).not.toContain('rivateKey')
    const { headers } = await w.raw({ url: '/login/acme/saml/corp/redirect' })
    expect(headers['location']).toContain('signed=der')
    await update('corp', { signingKeypair: { publicCert: 'new', privateKey: 'new' } })
    expect(await view('corp')).toMatchObject({ publicCert: 'new' })
    await remove('corp')
  })

  it('fits its certificate', async () => {
    const signingKeypair = { publicCert: 'a', privateKey: 'b' }
    const wrong = {
      status: 400,
      code: 'InvalidValue',
      message: 'unsupported value for "private_key": it is of another certificate',
    }
    await expect(create({ ...bodyOf('corp'), signingKeypair })).rejects.toMatchObject(wrong)
  })
})

describe('metadata', () => {
  const source = { type: 'url' as const, url }
  const wrong = (label: string, reason: string) => ({
    status: 400,
    code: 'InvalidValue',
    message: `unsupported value for "${label}": ${reason}`,
  })

  it('that cannot be read is refused, and nothing is made', async () => {
    const before = await dump(w)
    const cases: [Body['idpMetadataSource'], object][] = [
      [base64('hello'), wrong('idp_metadata_source', 'it is no XML')],
      [base64(testMetadata({ entityId: 'x' })), wrong('idp_metadata_source', 'it is of x')],
      [{ type: 'base64_encoded_xml', data: '%' }, wrong('data', 'it is not base64')],
      [{ type: 'base64_encoded_xml', data: btoa('\xff') }, wrong('data', 'it is not UTF-8')],
      [
        { type: 'base64_encoded_xml', data: btoa('x'.repeat(524_289)) },
        wrong('data', 'it has more than 524288 bytes'),
      ],
      [source, wrong('url', 'error querying url: no answer within 5 seconds')],
    ]
    for (const [idpMetadataSource, error] of cases)
      await expect(create({ ...bodyOf('corp'), idpMetadataSource })).rejects.toMatchObject(error)
    pages[url] = { status: 404 }
    await expect(create({ ...bodyOf('corp'), idpMetadataSource: source })).rejects.toMatchObject(
      wrong('url', 'querying url returned: 404'),
    )
    expect(await dump(w)).toEqual(before)
  })

  it('of an address is requested only for those who may create a provider', async () => {
    let visits = 0
    const port = testSaml()
    const watched = await openWorld({
      saml: { ...port, fetchMetadata: async (address) => (visits++, port.fetchMetadata(address)) },
    })
    const body = { ...bodyOf('corp'), idpMetadataSource: source }
    for (const who of ['viewer', 'noRole', 'stranger'] as const)
      await expect(
        watched.as(who).samlIdentityProviderCreate({ query: { silo: 'acme' }, body }),
      ).rejects.toMatchObject({ status: expect.any(Number) as number })
    expect(visits).toBe(0)
    await watched.close()
  })

  it('of an address is read again every day, and what cannot be read leaves the provider as it is', async () => {
    pages[url] = { xml: testMetadata() }
    await create({ ...bodyOf('corp'), idpMetadataSource: source })
    const stored = () =>
      w.world.engine.transaction('read', async (tx) => {
        const row = await tx.selectFrom('samlProvider').selectAll().executeTakeFirstOrThrow()
        return { keys: certificatesIn(row).map(({ der }) => der), failure: row.failure }
      })
    const hour = 60 * 60_000
    // The provider announces its next key, uses it, and drops the old one.
    pages[url] = { xml: testMetadata({ keys: ['key', 'next'] }) }
    await w.jump(23 * hour)
    expect(await stored()).toEqual({ keys: ['key'], failure: null })
    await w.jump(1.5 * hour)
    expect(await stored()).toEqual({ keys: ['key', 'next'], failure: null })
    pages[url] = { status: 500 }
    await w.jump(25 * hour)
    const failure = 'unsupported value for "url": querying url returned: 500'
    expect(await stored()).toEqual({ keys: ['key', 'next'], failure })
    // Sooner than after a day, because an old key may be gone by then.
    pages[url] = { xml: testMetadata({ keys: ['next'] }) }
    await w.jump(1.5 * hour)
    expect(await stored()).toEqual({ keys: ['next'], failure: null })
  })
})

it('a provider of another silo is not found', async () => {
  await addProvider(w, 'other', 'theirs')
  const { status } = await w.raw({ url: '/login/acme/saml/theirs/redirect' })
  expect(status).toBe(404)
})
