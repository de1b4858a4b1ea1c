import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addOidcProvider, addProvider } from '#/testing/access/providers.ts'
import { clientId, issuer, testCode, testLogout, testOidc } from '#/testing/access/oidc.ts'
import { disorder, dump } from '#/testing/state.ts'
import { openWorld, type RawResponse, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
const provider: { down?: string } = {}
let providerId: string
beforeAll(async () => {
  w = await openWorld({ oidc: testOidc(provider) })
  providerId = await addOidcProvider(w, 'acme', 'corp')
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

const inDb = <T>(work: Parameters<typeof w.world.engine.transaction<T>>[1]) =>
  w.world.engine.transaction('write', work)
const setMode = (identityMode: 'local_only' | 'saml_jit' | 'saml_scim') =>
  inDb((tx) => tx.updateTable('silo').set({ identityMode }).where('name', '=', 'acme').execute())
const set = (columns: object) => inDb((tx) => tx.updateTable('oidcProvider').set(columns).execute())
const at = '/login/acme/oidc/corp'

interface Asked {
  state: string
  nonce: string
  /** The Cookie header of the browser that has asked. */
  cookie: string
}
const cookieIn = ({ cookies }: RawResponse, name: string) =>
  cookies.find((one) => one.startsWith(`${name}=`))?.split(';', 1)[0] ?? ''

async function ask(query = '', cookie = ''): Promise<Asked> {
  const answer = await w.raw({ url: `${at}/redirect${query}`, headers: cookie ? { cookie } : {} })
  expect(answer.status).toBe(302)
  const { origin, pathname, searchParams } = new URL(answer.headers['location'] ?? '')
  expect(origin + pathname).toBe(`${issuer}/auth`)
  const [state = '', nonce = ''] = ['state', 'nonce'].map((name) => searchParams.get(name) ?? '')
  return { state, nonce, cookie: cookieIn(answer, 'asked') }
}
const call = (query: Record<string, string>, cookie: string, door: Pick<TestWorld, 'raw'> = w) =>
  door.raw({
    url: `${at}/callback?${new URLSearchParams(query).toString()}`,
    headers: { cookie },
    remote: `198.51.100.${tests}`,
  })
/** Answers what a browser has asked. */
const answer = ({ state, nonce, cookie }: Asked, claims: Parameters<typeof testCode>[1] = {}) =>
  call({ state, code: testCode(nonce, claims) }, cookie)
const signIn = async (claims: Parameters<typeof testCode>[1] = {}) => answer(await ask(), claims)
const sessionOf = (response: RawResponse) => ({ cookie: cookieIn(response, 'session') })
const me = async (response: RawResponse) =>
  (await w.raw({ url: '/v1/me', headers: sessionOf(response) })).json as { id: string; display_name: string }
const isSignedIn = async (response: RawResponse) =>
  (await w.raw({ url: '/v1/me', headers: sessionOf(response) })).status === 200
const groupsOf = async (response: RawResponse): Promise<string[]> => {
  const { json } = await w.raw({ url: '/v1/me/groups', headers: sessionOf(response) })
  return (json as { items: { display_name: string }[] }).items.map((group) => group.display_name).toSorted()
}
const refusal = (reason: string) => ({
  status: 400,
  json: { message: `answer of the identity provider refused: ${reason}` },
  cookies: [],
})
const notMine = refusal('this browser has not sent the request that the answer names')
/** The newest entries of the audit log first. */
const logged = async () => {
  await w.settle()
  const now = w.clock.now()
  const times = { startTime: new Date(now - 1000), endTime: new Date(now + 1000) }
  const log = await w.as('fleetAdmin').auditLogList({ query: { ...times, sortBy: 'time_and_id_descending' } })
  return log.items
}

describe('a request to sign in', () => {
  it('leads to the provider with state, nonce, challenge and scopes, and is bound to the browser', async () => {
    const before = await dump(w)
    const { cookies, headers } = await w.raw({ url: `${at}/redirect`, headers: { host: 'acme.example.org' } })
    expect(cookies[0]).toMatch(
      /^asked=[0-9a-f]{40}; Path=\/login\/acme\/oidc\/corp; HttpOnly; SameSite=Lax; Max-Age=900$/,
    )
    const { state, nonce, challenge, ...more } = Object.fromEntries(
      new URL(headers['location'] ?? '').searchParams,
    )
    expect(more).toEqual({
      client_id: clientId,
      redirect_uri: `http://acme.example.org${at}/callback`,
      scope: 'openid profile email',
    })
    expect(new Set([state, nonce, challenge]).size).toBe(3)
    const secret = cookies[0]?.slice('asked='.length, 46) ?? ''
    expect(headers['location']).not.toContain(secret)
    expect(await dump(w)).toEqual(before)
  })

  it('returns to an address of this site only', async () => {
    const back = await answer(await ask('?redirect_uri=%2Fprojects%3Fa%3D1'))
    expect(back).toMatchObject({ status: 303, headers: { location: '/projects?a=1' }, text: '' })
    for (const uri of ['https://evil.example', '//evil.example', '/\\evil.example', 'evil', '']) {
      const { status } = await w.raw({ url: `${at}/redirect?redirect_uri=${encodeURIComponent(uri)}` })
      expect([uri, status]).toEqual([uri, 400])
    }
    const asked = await ask()
    const [id = ''] = asked.state.split('.')
    const state = `${id}.${btoa(JSON.stringify({ redirect_uri: 'https://evil.example' }))}`
    expect(await answer({ ...asked, state })).toMatchObject({ status: 400, cookies: [] })
  })

  it('fails for a silo or a provider that does not exist, or is of another protocol', async () => {
    await addProvider(w, 'acme', 'saml')
    for (const path of [
      'nope/oidc/corp',
      'acme/oidc/nope',
      'acme/oidc/saml',
      'other/oidc/corp',
      'acme/saml/corp',
    ]) {
      const { status } = await w.raw({ url: `/login/${path}/redirect` })
      expect([path, status]).toEqual([path, 404])
    }
  })
})

describe('an answer', () => {
  it('signs in: the session is new, and the browser forgets the request', async () => {
    const asked = await ask()
    const before = await signIn({ sub: 'eve' })
    const response = await answer({ ...asked, cookie: `${asked.cookie}; ${sessionOf(before).cookie}` })
    expect(response).toMatchObject({ status: 303, headers: { location: '/' } })
    expect(response.cookies).toContain(`asked=; Path=${at}; HttpOnly; SameSite=Lax; Max-Age=0`)
    expect(sessionOf(response)).not.toEqual(sessionOf(before))
    expect(await me(response)).toMatchObject({ display_name: 'ann' })
    expect(await isSignedIn(before)).toBe(false)
  })

  it('is accepted for the browser that asked alone', async () => {
    const [mine, others] = [await ask(), await ask()]
    const before = await dump(w)
    for (const cookie of [others.cookie, '', 'asked=', `asked=${mine.state.slice(1, 41)}`])
      expect(await answer({ ...mine, cookie })).toMatchObject(notMine)
    for (const state of ['', 'x', others.state])
      expect(await answer({ ...mine, state })).toMatchObject(notMine)
    expect(await dump(w)).toEqual(before)
    expect((await answer(mine)).status).toBe(303)
  })

  it('is accepted by the silo that it was requested of alone, also if another has the same settings', async () => {
    await addOidcProvider(w, 'other', 'corp')
    const { state, nonce, cookie } = await ask()
    const query = { state, code: testCode(nonce, {}) }
    const url = `/login/other/oidc/corp/callback?${new URLSearchParams(query).toString()}`
    const remote = `198.51.100.${tests}`
    expect(await w.raw({ url, headers: { cookie }, remote })).toMatchObject(notMine)
    expect((await call(query, cookie)).status).toBe(303)
  })

  it('is accepted once, by all servers together and at the same time', async () => {
    const asked = await ask()
    const other = await w.another()
    const query = { state: asked.state, code: testCode(asked.nonce) }
    const all = await Promise.all([w, other, w, other].map((door) => call(query, asked.cookie, door)))
    expect(all.filter(({ status }) => status === 303)).toHaveLength(1)
    const used = refusal('the answer has been used before')
    for (const one of all.filter(({ status }) => status !== 303)) expect(one).toMatchObject(used)
    expect(await call(query, asked.cookie, other)).toMatchObject(used)
  })

  it.each<[string, string, (asked: Asked) => Record<string, string>]>([
    ['of another request', 'unexpected ID Token "nonce" claim value', () => ({ code: testCode('x') })],
    [
      'that is refused by the provider',
      'the provider says access_denied',
      () => ({ error: 'access_denied' }),
    ],
    ['without a code', 'the provider says invalid_grant', () => ({})],
    [
      'without a subject',
      'no claim sub in the ID token',
      ({ nonce }) => ({ code: testCode(nonce, { sub: '' }) }),
    ],
    [
      'with a long subject',
      'the subject is longer than 256 characters',
      ({ nonce }) => ({ code: testCode(nonce, { sub: 'x'.repeat(257) }) }),
    ],
    [
      'with too many groups',
      'the ID token names too many groups, or one with too long a name',
      ({ nonce }) => ({ code: testCode(nonce, { groups: Array.from({ length: 501 }, (_, i) => `g${i}`) }) }),
    ],
  ])('%s is refused, and the audit log says why, without the code', async (_, reason, how) => {
    // Entries of the same time, made by two servers, have no order.
    await w.advance(1)
    const asked = await ask()
    const before = await dump(w)
    expect(await call({ state: asked.state, ...how(asked) }, asked.cookie)).toMatchObject(refusal(reason))
    expect(await dump(w)).toEqual(before)
    expect((await logged())[0]).toMatchObject({
      operationId: 'login_oidc',
      requestUri: `${at}/callback`,
      result: { kind: 'error', errorMessage: refusal(reason).json.message },
    })
  })

  it('waits for a provider that cannot be reached, and changes nothing', async () => {
    const asked = await ask()
    const before = await dump(w)
    provider.down = 'no answer within 5 seconds'
    expect(await answer(asked)).toMatchObject({ status: 503, cookies: [] })
    expect(await dump(w)).toEqual(before)
    delete provider.down
    expect((await answer(asked)).status).toBe(303)
  })

  it('is checked less often for an address whose answers are refused', async () => {
    const { state, cookie } = await ask()
    for (let i = 0; i < 51; i++) expect((await call({ state, code: 'wrong' }, cookie)).status).toBe(400)
    expect((await call({ state, code: 'wrong' }, cookie)).status).toBe(429)
  })

  it('needs the port', async () => {
    const blind = await openWorld({ oidc: 'the preview has none' })
    await addOidcProvider(blind, 'acme', 'corp')
    expect(await blind.raw({ url: `${at}/redirect` })).toMatchObject({
      status: 503,
      json: { message: 'Service Unavailable: the preview has none' },
    })
    await blind.close()
  })
})

describe('the user of an answer', () => {
  it('is made just in time, with the name that people know and exactly the groups of the provider', async () => {
    // Entries of the same time, made by two servers, have no order.
    await w.advance(1)
    const claims = { sub: 'b-17', preferred_username: 'bob', email: 'bob@example.org' }
    const first = await signIn({ ...claims, groups: ['admins', 'ops, dev', 7] })
    const bob = await me(first)
    expect(bob).toMatchObject({ display_name: 'bob' })
    expect(await groupsOf(first)).toEqual(['admins', 'dev', 'ops'])
    const second = await signIn({ sub: 'b-17', groups: 'dev' })
    expect(await me(second)).toEqual(bob)
    expect(await groupsOf(second)).toEqual(['dev'])
    expect(await groupsOf(await signIn({ sub: 'b-17' }))).toEqual([])
    await set({ groupsClaim: null })
    expect(await groupsOf(await signIn({ sub: 'b-17', groups: ['ops'] }))).toEqual([])
    await set({ groupsClaim: 'groups' })
    expect((await logged())[0]).toMatchObject({ operationId: 'login_oidc', result: { kind: 'success' } })
  })

  it('is named by the claim of the provider, an e-mail address only if it is verified', async () => {
    await set({ nameClaim: 'email' })
    const email = 'carl@example.org'
    // Some providers send a text.
    for (const unverified of [false, 'false'])
      expect(await signIn({ sub: 'c-1', email, email_verified: unverified })).toMatchObject(
        refusal('the provider has not verified the e-mail address'),
      )
    const carl = await me(await signIn({ sub: 'c-1', email, email_verified: true }))
    expect(await me(await signIn({ sub: 'c-2', email }))).toEqual(carl)
    expect(await signIn({ sub: 'c-1' })).toMatchObject(refusal('no claim email in the ID token'))
    await set({ nameClaim: 'sub' })
  })

  it('has no NUL in any name, which PostgreSQL cannot store', async () => {
    const nul = 'a\0b'
    const control = refusal('the subject has control characters')
    expect(await signIn({ sub: nul })).toMatchObject(control)
    await set({ nameClaim: 'upn' })
    expect(await signIn({ sub: 'n-1', upn: nul })).toMatchObject(control)
    expect(await signIn({ sub: nul, upn: 'nora' })).toMatchObject(control)
    await set({ nameClaim: 'sub' })
    expect(await signIn({ sub: 'n-1', groups: [nul] })).toMatchObject(
      refusal('the ID token names too many groups, or one with too long a name'),
    )
    const shown = await signIn({ sub: 'n-1', name: nul, preferred_username: nul, sid: nul })
    expect(await me(shown)).toMatchObject({ display_name: 'n-1' })
  })

  it('must exist where another program manages the users, whose groups stay as they are', async () => {
    await setMode('saml_scim')
    const before = await dump(w)
    expect(await signIn({ sub: 'unknown', groups: ['ops'] })).toMatchObject({ status: 401, cookies: [] })
    expect(await dump(w)).toEqual(before)
    const response = await signIn({ sub: 'viewer', groups: ['ops'] })
    expect(await me(response)).toMatchObject({ id: w.ids['viewer'] })
    expect(await groupsOf(response)).toEqual([])
    await setMode('saml_jit')
  })
})

describe('a logout of the provider', () => {
  let tokens = 0
  const logout = (claims: { subject?: string; session?: string; tokenId?: string }, name = 'corp') =>
    post(
      new URLSearchParams({ logout_token: testLogout({ tokenId: `t${tokens++}`, ...claims }) }).toString(),
      name,
    )
  const post = (body: string, name = 'corp') =>
    w.raw({
      method: 'POST',
      url: `/login/acme/oidc/${name}/logout`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: issuer },
      body,
      remote: `198.51.100.${tests}`,
    })

  it('ends the session that it names, on every server', async () => {
    const [one, two, unnamed] = [
      await signIn({ sub: 'dora', sid: 's1' }),
      await signIn({ sub: 'dora', sid: 's2' }),
      await signIn({ sub: 'dora' }),
    ]
    const other = await w.another()
    expect((await other.raw({ url: '/v1/me', headers: sessionOf(one) })).status).toBe(200)
    expect(await logout({ session: 's1' })).toMatchObject({ status: 204, text: '' })
    expect((await other.raw({ url: '/v1/me', headers: sessionOf(one) })).status).toBe(401)
    expect(await Promise.all([one, two, unnamed].map(isSignedIn))).toEqual([false, true, true])
    // The session of the third is unknown: it may be the one.
    await logout({ session: 's3', subject: 'dora' })
    expect(await Promise.all([two, unnamed].map(isSignedIn))).toEqual([true, false])
    const entries = (await logged()).filter(({ operationId }) => operationId === 'login_oidc_logout')
    const { id } = await me(await signIn({ sub: 'dora' }))
    for (const entry of entries)
      expect(entry).toMatchObject({ actor: { siloUserId: id }, result: { kind: 'success' } })
    expect(entries).toHaveLength(2)
  })

  it('ends all sessions of a user with this provider, and no others', async () => {
    await addOidcProvider(w, 'acme', 'second')
    const [one, two, eve] = [
      await signIn({ sub: 'dora' }),
      await signIn({ sub: 'dora' }),
      await signIn({ sub: 'eve' }),
    ]
    await logout({ subject: 'dora' }, 'second')
    expect(await isSignedIn(one)).toBe(true)
    await logout({ subject: 'dora' })
    expect(await Promise.all([one, two, eve].map(isSignedIn))).toEqual([false, false, true])
    expect((await w.as('admin').userList({ query: { find: 'dora' } })).items).toHaveLength(1)
  })

  it('ends however many sessions share one of the provider, and cancels the tasks of each', async () => {
    const one = await signIn({ sub: 'dora', sid: 'shared' })
    const { sessionId, userId } = await inDb(async (tx) => {
      // SQLite has no statement with as many parameters.
      for (let many = 1; many <= 32_766; many *= 2)
        await sql`insert into session (id, "tokenHash", "siloUserId", "timeCreated", "timeLastUsed", "providerId",
            "providerSubject", "providerSession")
          select id || '-' || ${sql.lit(many)}, "tokenHash" || '-' || ${sql.lit(many)}, "siloUserId", "timeCreated",
            "timeLastUsed", "providerId", "providerSubject", "providerSession"
          from session where "providerSession" = 'shared'`.execute(tx)
      const session = tx.selectFrom('session').select(['id as sessionId', 'siloUserId as userId'])
      return session.where('providerSession', '=', 'shared').limit(1).executeTakeFirstOrThrow()
    })
    // Another server works on it.
    const lease = { state: 'running', leaseUntil: 1e15 } as const
    const task = {
      id: 'task-1',
      userId,
      at: 1,
      sessionId,
      remote: '',
      kind: 'disk',
      action: 'delete',
    } as const
    await inDb((tx) =>
      tx
        .insertInto('task')
        .values({ ...task, ...lease, total: 1 })
        .execute(),
    )
    expect(await logout({ session: 'shared' })).toMatchObject({ status: 204 })
    expect(await isSignedIn(one)).toBe(false)
    const left = await inDb(async (tx) => [
      await tx.selectFrom('session').select('id').where('providerSession', '=', 'shared').execute(),
      await tx.deleteFrom('task').where('id', '=', task.id).returning('state').execute(),
    ])
    expect(left).toEqual([[], [{ state: 'canceled' }]])
  })

  it('is accepted once', async () => {
    expect((await logout({ tokenId: 'same', subject: 'dora' })).status).toBe(204)
    const again = await signIn({ sub: 'dora' })
    expect(await logout({ tokenId: 'same', subject: 'dora' })).toMatchObject(
      refusal('the logout token has been used before'),
    )
    expect(await isSignedIn(again)).toBe(true)
  })

  it('that is wrong is refused', async () => {
    const before = await dump(w)
    expect(await post('')).toMatchObject({
      status: 400,
      json: { message: 'unable to parse URL-encoded body: missing field `logout_token`' },
    })
    expect((await post('logout_token=a&logout_token=b')).status).toBe(400)
    expect(await post('logout_token=nonsense')).toMatchObject(refusal('the provider says invalid_grant'))
    expect((await logout({ subject: 'dora' }, 'nope')).status).toBe(404)
    expect(await dump(w)).toEqual(before)
  })
})

it('those who have not signed in see the providers of every protocol', async () => {
  const { providers } = await w.anonymous.loginOptions({ params: { siloName: 'acme' } })
  expect(providers).toEqual([
    { name: 'corp', description: '', protocol: 'oidc' },
    { name: 'saml', description: '', protocol: 'saml' },
    { name: 'second', description: '', protocol: 'oidc' },
  ])
})

it('sessions outlive their provider', async () => {
  const response = await signIn()
  await w.as('admin').oidcIdentityProviderDelete({ params: { provider: providerId }, query: {} })
  expect(await isSignedIn(response)).toBe(true)
  expect((await w.raw({ url: `${at}/redirect` })).status).toBe(404)
})
