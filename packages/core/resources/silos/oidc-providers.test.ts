import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientId, issuer, testOidc } from '#/testing/access/oidc.ts'
import { addProvider } from '#/testing/access/providers.ts'
import { answers } from '#/testing/roles.ts'
import { deedOfLast } from '#/testing/audit/last-entry.ts'
import { disorder, dump } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const provider: { down?: string; issuers: string[] } = { issuers: [issuer, 'https://new.example.org'] }
let w: TestWorld
const setMode = (identityMode: 'local_only' | 'saml_jit') =>
  w.world.engine.transaction('write', (tx) =>
    tx.updateTable('silo').set({ identityMode }).where('name', '=', 'acme').execute(),
  )
beforeAll(async () => {
  w = await openWorld({ oidc: testOidc(provider) })
  await setMode('saml_jit')
})
afterAll(async () => {
  await setMode('local_only')
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const secret = 'the secret of the client'
const bodyOf = (name: string) => ({ name, description: 'for all', issuer, clientId, clientSecret: secret })
type Body = Parameters<ReturnType<TestWorld['as']>['oidcIdentityProviderCreate']>[0]['body']
const create = (body: Body, who: Who = 'admin', silo = 'acme') =>
  w.as(who).oidcIdentityProviderCreate({ query: { silo }, body })
const named = (name: string) => ({ params: { provider: name }, query: { silo: 'acme' } })
const view = (name: string) => w.as('viewer').oidcIdentityProviderView(named(name))
type Changes = Parameters<ReturnType<TestWorld['as']>['oidcIdentityProviderUpdate']>[0]['body']
const update = (name: string, body: Changes) =>
  w.as('admin').oidcIdentityProviderUpdate({ ...named(name), body })
const remove = (name: string) => w.as('admin').oidcIdentityProviderDelete(named(name))
const list = (who: Who = 'noRole') => w.as(who).identityProviderList({ query: { silo: 'acme' } })
const stored = () =>
  w.world.engine.transaction('read', (tx) => tx.selectFrom('oidcProvider').selectAll().executeTakeFirst())
const wrong = (label: string, reason: string) => ({
  status: 400,
  code: 'InvalidValue',
  message: `unsupported value for "${label}": ${reason}`,
})

describe('an identity provider', () => {
  it('is created, listed, viewed, changed and deleted, and never shows its secret', async () => {
    const made = await create({ ...bodyOf('corp'), groupsClaim: ' groups ' })
    const now = new Date(w.clock.now())
    expect(made).toEqual({
      id: expect.any(String) as string,
      name: 'corp',
      description: 'for all',
      timeCreated: now,
      timeModified: now,
      issuer,
      clientId,
      scopes: ['openid', 'profile', 'email'],
      nameClaim: 'sub',
      groupsClaim: 'groups',
      metadata: {
        signOnUrl: `${issuer}/auth`,
        tokenUrl: `${issuer}/token`,
        keysUrl: `${issuer}/keys`,
        userInfoUrl: `${issuer}/me`,
        timeRead: now,
        failure: null,
      },
    })
    const { id, name, description, timeCreated, timeModified } = made
    const row = { id, name, description, timeCreated, timeModified }
    expect(await list()).toEqual({ items: [{ ...row, protocol: 'oidc' }], nextPage: null })
    expect(await view('corp')).toEqual(made)
    const changed = await update('corp', {
      name: 'company',
      scopes: ['email', 'email'],
      nameClaim: 'email',
      groupsClaim: '',
    })
    expect(changed).toMatchObject({
      name: 'company',
      scopes: ['email'],
      nameClaim: 'email',
      groupsClaim: null,
    })
    expect(await view('company')).toEqual(changed)
    expect((await stored())?.clientSecret).toBe(secret)
    await w.settle()
    const times = { startTime: now, endTime: new Date(w.clock.now() + 1) }
    const log = await w.as('fleetAdmin').auditLogList({ query: times })
    expect(JSON.stringify([made, changed, log])).not.toContain(secret)
    await remove('company')
    expect((await list()).items).toEqual([])
    await expect(view('company')).rejects.toMatchObject({
      status: 404,
      message: 'not found: oidc-identity-provider with name "company"',
    })
  })

  it('is in the list of every protocol alone, and shares its names', async () => {
    await create(bodyOf('corp'))
    await addProvider(w, 'acme', 'saml')
    const names = async () => (await list()).items.map(({ name, protocol }) => `${name} ${protocol}`)
    expect(await names()).toEqual(['corp oidc', 'saml saml'])
    const original = await w.as('noRole').siloIdentityProviderList({ query: { silo: 'acme' } })
    expect(original.items.map(({ name, providerType }) => [name, providerType])).toEqual([['saml', 'saml']])
    const taken = { status: 400, message: 'already exists: identity-provider "saml"' }
    await expect(create(bodyOf('saml'))).rejects.toMatchObject(taken)
    await expect(update('corp', { name: 'saml' })).rejects.toMatchObject(taken)
    await expect(view('saml')).rejects.toMatchObject({ status: 404 })
    await expect(w.as('admin').samlIdentityProviderView(named('corp'))).rejects.toMatchObject({ status: 404 })
    await remove('corp')
    await w.as('admin').samlIdentityProviderDelete(named('saml'))
  })

  it('is seen by those who see the silo, and changed by its administrators', async () => {
    await create(bodyOf('corp'))
    const strangers = { noRole: 404, projectAdmin: 404, projectCollaborator: 404, projectViewer: 404 }
    const none = { ...strangers, anonymous: 401, stranger: 404 }
    const all = { admin: 'ok', collaborator: 'ok', viewer: 'ok', fleetAdmin: 'ok' }
    const members = { noRole: 'ok', projectAdmin: 'ok', projectCollaborator: 'ok', projectViewer: 'ok' }
    expect(await answers(w, (client) => client.identityProviderList({ query: { silo: 'acme' } }))).toEqual({
      ...none,
      ...all,
      ...members,
    })
    expect(await answers(w, (client) => client.oidcIdentityProviderView(named('corp')))).toEqual({
      ...none,
      ...all,
    })
    const changing = { ...none, ...all, collaborator: 403, viewer: 403 }
    const changed = await answers(w, (client) =>
      client.oidcIdentityProviderUpdate({ ...named('corp'), body: { description: 'x' } }),
    )
    expect(changed).toEqual(changing)
    const made = await answers(w, (client, name) =>
      client.oidcIdentityProviderCreate({ query: { silo: 'acme' }, body: bodyOf(name) }),
    )
    // Their own silo exists for them.
    const own = { noRole: 403, projectAdmin: 403, projectCollaborator: 403, projectViewer: 403 }
    expect(made).toEqual({ ...changing, ...own })
    const deleted = await answers(w, (client, name) => client.oidcIdentityProviderDelete(named(name)))
    // Only those exist that the administrators have made.
    expect(deleted).toEqual({ ...none, collaborator: 404, viewer: 404, admin: 'ok', fleetAdmin: 'ok' })
    await expect(w.as('collaborator').oidcIdentityProviderDelete(named('corp'))).rejects.toMatchObject({
      status: 403,
    })
    await remove('corp')
  })

  it('is only for silos without local users, and goes with its silo', async () => {
    await expect(create(bodyOf('corp'), 'fleetAdmin', 'other')).rejects.toMatchObject({
      status: 400,
      message: 'cannot create OpenID Connect identity providers in silos with local users',
    })
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
    expect(await stored()).toBeUndefined()
  })

  it('with settings that cannot work is refused', async () => {
    const before = await dump(w)
    const refused: [Partial<Body>, object][] = [
      [{ issuer: 'https://nope.example.org' }, wrong('issuer', 'unexpected HTTP response status code')],
      [{ nameClaim: ' ' }, wrong('name_claim', 'it is empty')],
      [{ scopes: ['openid', 'two words'] }, wrong('scopes', '"two words" is no scope')],
      [{ scopes: Array.from({ length: 21 }, (_, i) => `s${i}`) }, { status: 400 }],
      [{ clientSecret: 'x'.repeat(1025) }, { status: 400 }],
    ]
    for (const [changes, error] of refused)
      await expect(create({ ...bodyOf('corp'), ...changes })).rejects.toMatchObject(error)
    provider.down = 'no answer within 5 seconds'
    await expect(create(bodyOf('corp'))).rejects.toMatchObject(wrong('issuer', provider.down))
    // Users who may not create one send no request to anywhere.
    await expect(create(bodyOf('corp'), 'viewer')).rejects.toMatchObject({ status: 403 })
    delete provider.down
    expect(await dump(w)).toEqual(before)
  })

  it('has what changed in the audit log, and no secret', async () => {
    await create(bodyOf('corp'))
    await update('corp', { clientSecret: 'another secret' })
    expect(await deedOfLast(w)).toBe('changed the client secret of identity provider corp')
    await update('corp', { clientId: 'another' })
    expect(await deedOfLast(w)).toBe(
      `changed the client ID of identity provider corp from ${clientId} to another`,
    )
    await remove('corp')
  })

  it('gets another issuer only with the secret for it', async () => {
    await create(bodyOf('corp'))
    const next = 'https://new.example.org'
    const reason = 'the secret is for another issuer: give that for the new one'
    await expect(update('corp', { issuer: next })).rejects.toMatchObject(wrong('client_secret', reason))
    const changed = await update('corp', { issuer: next, clientSecret: 'new' })
    expect(changed).toMatchObject({ issuer: next, metadata: { tokenUrl: `${next}/token` } })
    expect((await stored())?.clientSecret).toBe('new')
    await remove('corp')
  })
})

it('metadata is read again every day, and what cannot be read leaves the provider as it is', async () => {
  await create(bodyOf('corp'))
  const hour = 60 * 60_000
  const first = w.clock.now()
  const read = async () => {
    const row = await stored()
    return { hours: Math.round(((row?.timeRead ?? 0) - first) / hour), failure: row?.failure }
  }
  await w.jump(23 * hour)
  expect(await read()).toEqual({ hours: 0, failure: null })
  provider.down = 'no answer within 5 seconds'
  await w.jump(1.5 * hour)
  const failure = `unsupported value for "issuer": ${provider.down}`
  expect(await read()).toEqual({ hours: 0, failure })
  delete provider.down
  await w.jump(1.5 * hour)
  expect((await read()).failure).toBeNull()
  expect((await read()).hours).toBeGreaterThan(24)
})
