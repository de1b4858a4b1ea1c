import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { grant } from '#/seed/rows.ts'
import { addOidcProvider, addProvider } from '#/testing/access/providers.ts'
import { issuer, testCode, testOidc } from '#/testing/access/oidc.ts'
import { acsUrl, entityId, serviceEntityId, signOnUrl, testAnswer } from '#/testing/access/saml.ts'
import { answers } from '#/testing/roles.ts'
import { disorder, dump } from '#/testing/state.ts'
import { openWorld, type RawResponse, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
const provider: { down?: string } = {}
beforeAll(async () => {
  w = await openWorld({ oidc: testOidc(provider) })
  await addProvider(w, 'acme', 'corp')
  await addOidcProvider(w, 'acme', 'openid')
  await setMode('saml_jit')
})
afterAll(async () => {
  await setMode('local_only')
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})
// The failures of an address are of one test.
let tests = 0
beforeEach(() => void tests++)

const setMode = (identityMode: 'local_only' | 'saml_jit' | 'saml_scim') =>
  w.world.engine.transaction('write', (tx) =>
    tx.updateTable('silo').set({ identityMode }).where('name', '=', 'acme').execute(),
  )
const cookieIn = ({ cookies }: RawResponse, name: string) =>
  cookies.find((one) => one.startsWith(`${name}=`))?.split(';', 1)[0] ?? ''
const refusal = (reason: string) => `answer of the identity provider refused: ${reason}`

interface Begun {
  id: string
  /** The address of the provider, with the request. */
  to: URL
  /** The Cookie header of the browser. */
  cookie: string
}

async function begin(name: 'corp' | 'openid', who: Who = 'admin'): Promise<Begun> {
  const response = await w.raw({
    method: 'POST',
    url: `/v1/identity-providers/${name}/sign-in-tests?silo=acme`,
    who,
  })
  expect(response.status).toBe(201)
  const { id, url } = response.json as { id: string; url: string }
  return { id, to: new URL(url), cookie: cookieIn(response, 'tested') }
}

type Answering = NonNullable<Parameters<typeof testAnswer>[1]>
/** The provider has the browser send an answer. */
function answer({ to, cookie }: Begun, how: Answering = {}, relay = to.searchParams.get('RelayState') ?? '') {
  const inResponseTo = to.searchParams.get('id') ?? ''
  const fields = { SAMLResponse: testAnswer({ now: w.clock.now(), inResponseTo }, how), RelayState: relay }
  const body = new URLSearchParams(fields).toString()
  const remote = `198.51.100.${tests}`
  return w.raw({ method: 'POST', url: '/login/acme/saml/corp', headers: { cookie }, body, remote })
}
function answerOidc({ to, cookie }: Begun, claims: Parameters<typeof testCode>[1], code?: string) {
  const [state = '', nonce = ''] = ['state', 'nonce'].map((name) => to.searchParams.get(name) ?? '')
  const query = new URLSearchParams({ state, code: code ?? testCode(nonce, claims) })
  const url = `/login/acme/oidc/openid/callback?${query.toString()}`
  return w.raw({ url, headers: { cookie }, remote: `198.51.100.${tests}` })
}
const view = (testId: string, who: Who = 'admin') => w.as(who).signInTestView({ params: { testId } })
const groups = (names: string[]): Answering => ({
  assertion: { attributes: [{ name: 'groups', values: names }] },
})

/** Everything but the test itself and the fact that the answer has been used. */
async function others() {
  const { signInTest: _tests, samlAnswer: _answers, ...all } = await dump(w)
  return all
}

describe('a test with SAML', () => {
  it('shows the answer and what it would do, and does nothing', async () => {
    const before = await others()
    const test = await begin('corp')
    expect(test.to.origin + test.to.pathname).toBe(signOnUrl)
    expect(await view(test.id)).toMatchObject({ outcome: 'waiting', answer: null, user: null })
    const response = await answer(test, groups(['dev,ops']))
    expect(response).toMatchObject({
      status: 303,
      headers: { location: `/system/silos/acme/idps/tests/${test.id}` },
    })
    expect(response.cookies).toEqual(['tested=; Path=/login/acme/saml/corp; HttpOnly; Max-Age=0'])
    expect(await view(test.id)).toMatchObject({
      providerName: 'corp',
      protocol: 'saml',
      outcome: 'accepted',
      reason: null,
      answer: {
        issuer: entityId,
        subject: 'ann@example.org',
        audiences: [serviceEntityId],
        timeIssued: new Date(w.clock.now()),
        timeValidUntil: new Date(w.clock.now() + 60_000),
        attributes: [{ name: 'groups', values: ['dev,ops'], use: 'groups' }],
        omitted: 0,
      },
      user: { id: null, displayName: 'ann@example.org', isNew: true },
      groups: [
        { name: 'dev', change: 'joined', isNew: true },
        { name: 'ops', change: 'joined', isNew: true },
      ],
      roles: [],
      hiddenRoles: 0,
    })
    expect(await others()).toEqual(before)
  })

  it('is recorded, and its answer is worth nothing afterwards', async () => {
    const test = await begin('corp')
    const stolen = { ...test, cookie: test.cookie.replace('tested', 'asked') }
    const wrong = refusal('this browser has not sent the request that the answer names')
    // Neither as a sign-in, nor in another browser.
    for (const one of [stolen, { ...test, cookie: '' }, await begin('corp')])
      expect(await answer({ ...test, cookie: one.cookie })).toMatchObject({
        status: 400,
        json: { message: wrong },
      })
    expect((await answer(test)).status).toBe(303)
    const again = await answer(test)
    expect(again.cookies.filter((one) => one.startsWith('session='))).toEqual([])
    expect(again).toMatchObject({ status: 400, json: { message: refusal('the test has had its answer') } })
    await w.settle()
    const times = { startTime: new Date(w.clock.now() - 1000), endTime: new Date(w.clock.now() + 1000) }
    const { items } = await w.as('fleetAdmin').auditLogList({ query: times })
    expect(items.map(({ operationId }) => operationId)).toContain('sign_in_test_begin')
    expect(items.find(({ operationId }) => operationId === 'sign_in_test_end')).toMatchObject({
      actorName: 'admin',
      objects: [{ type: 'identity-provider', nameAfter: 'corp' }],
    })
  })

  it('knows the limit of users of a silo', async () => {
    const { world } = w
    const answered = async () => {
      const test = await begin('corp')
      await answer(test)
      return view(test.id)
    }
    world.directory = { users: 1, groups: 1 }
    expect(await answered()).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('User Limit Exceeded'),
      user: null,
    })
    delete world.directory
    expect(await answered()).toMatchObject({ outcome: 'accepted' })
  })

  it.each<[string, Answering, string, boolean]>([
    ['is signed by another', { key: 'other' }, 'the signature is invalid', false],
    [
      'is for another destination',
      { destination: 'https://x.example' },
      `the destination is not ${acsUrl}`,
      true,
    ],
    [
      'is for another audience',
      { assertion: { audiences: [['x']] } },
      `the audience is not ${serviceEntityId}`,
      true,
    ],
    [
      'names another request',
      { inResponseTo: '_x' },
      'the assertion and the response name different requests',
      true,
    ],
    ['names no user', { assertion: { subject: undefined } }, 'no subject in assertion', true],
  ])('says why an answer is refused that %s', async (_, how, reason, isShown) => {
    const before = await others()
    const test = await begin('corp')
    expect((await answer(test, how)).status).toBe(303)
    const seen = await view(test.id)
    expect(seen).toMatchObject({ outcome: 'refused', reason: refusal(reason), user: null, groups: [] })
    expect(seen.answer !== null).toBe(isShown)
    expect(await others()).toEqual(before)
  })

  it('shows the groups that a user would join and leave, and the roles that follow', async () => {
    const asked = await w.raw({ url: '/login/acme/saml/corp/redirect' })
    const first = {
      id: '',
      to: new URL(asked.headers['location'] ?? ''),
      cookie: cookieIn(asked, 'asked'),
    }
    const how = { ...groups(['old', 'kept']).assertion, subject: 'ben' }
    expect((await answer(first, { assertion: how })).status).toBe(303)
    const { items } = await w.as('admin').groupList({ query: {} })
    const kept = items.find(({ displayName }) => displayName === 'kept')?.id ?? ''
    const project = w.ids['demo'] ?? ''
    await w.world.engine.transaction('write', async (tx) => {
      const given = { identityType: 'silo_group' as const, identityId: kept, roleName: 'viewer' as const }
      await grant(tx, { ...given, resourceType: 'project', resourceId: project })
      await grant(tx, { ...given, resourceType: 'silo', resourceId: w.ids['acme'] ?? '' })
    })
    const shown = async (who: Who) => {
      const test = await begin('corp', who)
      await answer(test, { assertion: { ...groups(['kept', 'new']).assertion, subject: 'ben' } })
      return view(test.id, who)
    }
    expect(await shown('admin')).toMatchObject({
      user: { id: expect.any(String) as string, displayName: 'ben', isNew: false },
      groups: [
        { name: 'new', change: 'joined', isNew: true },
        { name: 'old', change: 'left' },
        { name: 'kept', change: 'kept' },
      ],
      roles: [
        { level: 'silo', name: 'acme', role: 'viewer' },
        { level: 'project', name: 'demo', role: 'viewer' },
      ],
      hiddenRoles: 0,
    })
    // Roles on projects are not for operators.
    const operator = await shown('fleetAdmin')
    expect(operator.roles.map(({ level }) => level)).not.toContain('project')
    expect(operator.hiddenRoles).toBeGreaterThan(0)
  })

  it('says that a silo with SCIM has no such user', async () => {
    await setMode('saml_scim')
    const test = await begin('corp')
    await answer(test, { assertion: { subject: 'carl' } })
    expect(await view(test.id)).toMatchObject({
      outcome: 'refused',
      reason: 'no user has this name, and the silo has only users that its SCIM client creates',
      answer: { subject: 'carl' },
    })
    await setMode('saml_jit')
  })

  it('keeps a part of an answer that is large', async () => {
    const test = await begin('corp')
    const values = Array.from({ length: 600 }, (_, i) => `${i}${'x'.repeat(400)}`)
    await answer(test, { assertion: { attributes: [{ name: 'teams', values }] } })
    const seen = await view(test.id)
    expect(seen.answer?.omitted).toBe(100)
    expect(seen.answer?.attributes[0]?.values.map((one) => one.length)).toEqual(Array(500).fill(256))
  })
})

describe('a test with OpenID Connect', () => {
  it('shows the claims and what is taken from them, without those of the protocol', async () => {
    const before = await others()
    const test = await begin('openid')
    expect(test.to.origin + test.to.pathname).toBe(`${issuer}/auth`)
    const claims = {
      sub: 'u-7',
      name: 'Dora',
      groups: ['dev'],
      nonce: 'n',
      address: { city: 'Ur' },
      iss: issuer,
    }
    expect(await answerOidc(test, claims)).toMatchObject({ status: 303 })
    expect(await view(test.id)).toMatchObject({
      outcome: 'accepted',
      answer: {
        issuer,
        subject: 'u-7',
        attributes: [
          { name: 'sub', values: ['u-7'], use: 'name' },
          { name: 'name', values: ['Dora'], use: 'display_name' },
          { name: 'groups', values: ['dev'], use: 'groups' },
          { name: 'address', values: ['{"city":"Ur"}'], use: null },
          { name: 'iss', values: [issuer], use: null },
        ],
      },
      user: { displayName: 'Dora', isNew: true },
    })
    expect(await others()).toEqual(before)
  })

  it('says why an answer is refused, and that the provider cannot be reached', async () => {
    const wrong = await begin('openid')
    await answerOidc(wrong, {}, 'nonsense')
    expect(await view(wrong.id)).toMatchObject({
      outcome: 'refused',
      reason: refusal('the provider says invalid_grant'),
      answer: null,
    })
    const late = await begin('openid')
    provider.down = 'no answer within 5 seconds'
    await answerOidc(late, {})
    delete provider.down
    expect((await view(late.id)).reason).toMatch(/does not answer: no answer within 5 seconds/)
  })
})

describe('a test', () => {
  it('is begun by those who may change the provider, in a session', async () => {
    const may = await answers(w, (client) =>
      client.signInTestBegin({ params: { provider: 'corp' }, query: { silo: 'acme' } }),
    )
    const none = { noRole: 404, projectAdmin: 404, projectCollaborator: 404, projectViewer: 404 }
    const silo = { admin: 'ok', collaborator: 403, viewer: 403, fleetAdmin: 'ok' }
    expect(may).toEqual({ ...none, ...silo, anonymous: 401, stranger: 404 })
    await expect(
      w.as('admin').signInTestBegin({ params: { provider: 'nope' }, query: { silo: 'acme' } }),
    ).rejects.toMatchObject({ status: 404, message: 'not found: identity-provider with name "nope"' })
  })

  it('is shown to the administrator who has begun it, with the same session', async () => {
    const { id } = await begin('corp')
    expect((await view(id)).outcome).toBe('waiting')
    for (const who of ['fleetAdmin', 'stranger', 'collaborator'] as const)
      await expect(view(id, who)).rejects.toMatchObject({ status: 404 })
  })

  it('ends with its time, with the session and with the provider; only the newest are kept', async () => {
    const wrong = refusal('this browser has not sent the request that the answer names')
    const first = await begin('corp')
    for (let i = 0; i < 5; i++) await begin('corp')
    await expect(view(first.id)).rejects.toMatchObject({ status: 404 })
    const late = await begin('corp')
    await w.jump(15 * 60_000)
    expect(await answer(late)).toMatchObject({ status: 400, json: { message: wrong } })
    await expect(view(late.id)).rejects.toMatchObject({ status: 404 })
    const ended = await begin('corp')
    await w.world.engine.transaction('write', (tx) =>
      tx
        .updateTable('signInTest')
        .set({ sessionId: w.world.ids.uuid() })
        .where('id', '=', ended.id)
        .execute(),
    )
    expect(await answer(ended)).toMatchObject({ status: 400, json: { message: wrong } })
    const gone = await begin('openid')
    const named = { params: { provider: 'openid' }, query: { silo: 'acme' } }
    await w.as('admin').oidcIdentityProviderDelete(named)
    await expect(view(gone.id)).rejects.toMatchObject({ status: 404 })
  })
})
