import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addProvider } from '#/testing/access/providers.ts'
import { acsUrl, confirmation, serviceEntityId, signOnUrl, testAnswer } from '#/testing/access/saml.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, dump } from '#/testing/state.ts'
import { openWorld, type RawResponse, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
  await addProvider(w, 'acme', 'corp')
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
const at = '/login/acme/saml/corp'

interface Asked {
  id: string
  /** The Cookie header of the browser that has asked. */
  cookie: string
  relayState: string
}
const cookieIn = ({ cookies }: RawResponse, name: string) =>
  cookies.find((one) => one.startsWith(`${name}=`))?.split(';', 1)[0] ?? ''

/** A browser that asks, maybe one that has asked before. */
async function ask(query = '', cookie = ''): Promise<Asked> {
  const answer = await w.raw({ url: `${at}/redirect${query}`, headers: cookie ? { cookie } : {} })
  expect(answer.status).toBe(302)
  const to = new URL(answer.headers['location'] ?? '')
  expect(to.origin + to.pathname).toBe(signOnUrl)
  return {
    id: to.searchParams.get('id') ?? '',
    cookie: cookieIn(answer, 'asked'),
    relayState: to.searchParams.get('RelayState') ?? '',
  }
}

type Answering = Parameters<typeof testAnswer>[1]
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const post = (body: string, cookie = '', more: { remote?: string; origin?: string } = {}) =>
  w.raw({
    method: 'POST',
    url: at,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: more.origin ?? 'https://idp.example.org',
      ...(cookie ? { cookie } : {}),
    },
    body,
    remote: more.remote ?? `198.51.100.${tests}`,
  })

/** Answers what a browser has asked. */
const answer = ({ id, cookie, relayState }: Asked, how: Answering = {}) =>
  post(
    form({
      SAMLResponse: testAnswer({ now: w.clock.now(), inResponseTo: id }, how),
      RelayState: relayState,
    }),
    cookie,
  )
const signIn = async (how: Answering = {}) => answer(await ask(), how)
const me = async (response: RawResponse) =>
  (await w.raw({ url: '/v1/me', headers: { cookie: cookieIn(response, 'session') } })).json as {
    id: string
    display_name: string
  }
const groupsOf = async (response: RawResponse): Promise<string[]> => {
  const cookie = cookieIn(response, 'session')
  const { json } = await w.raw({ url: '/v1/me/groups', headers: { cookie } })
  return (json as { items: { display_name: string }[] }).items.map((group) => group.display_name).toSorted()
}
const refusal = (reason: string) => `answer of the identity provider refused: ${reason}`

describe('a request to sign in', () => {
  it('leads to the provider and is bound to the browser, which keeps a few of them', async () => {
    let cookie = ''
    for (let i = 0; i < 7; i++) ({ cookie } = await ask('', cookie))
    expect(cookie.split('.')).toHaveLength(5)
    const { cookies } = await w.raw({ url: `${at}/redirect` })
    expect(cookies[0]).toMatch(/^asked=[0-9a-f]{40}; Path=\/login\/acme\/saml\/corp; HttpOnly; Max-Age=900$/)
    const ids = new Set([(await ask()).id, (await ask()).id])
    expect(ids.size).toBe(2)
  })

  it('returns to an address of this site only', async () => {
    const back = await answer(await ask('?redirect_uri=%2Fprojects%3Fa%3D1'))
    expect(back).toMatchObject({ status: 303, headers: { location: '/projects?a=1' }, text: '' })
    const elsewhere = [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/%09/evil.example',
      'evil',
      '',
    ]
    for (const uri of elsewhere) {
      const encoded = uri.includes('%') ? uri : encodeURIComponent(uri)
      const { status, json } = await w.raw({ url: `${at}/redirect?redirect_uri=${encoded}` })
      expect([uri, status]).toEqual([uri, 400])
      expect((json as { message: string }).message).toMatch(/is not a relative URI$/)
    }
  })

  it('fails for a silo or a provider that does not exist', async () => {
    const { status, json } = await w.raw({ url: '/login/nope/saml/corp/redirect' })
    expect([status, (json as { message: string }).message]).toEqual([404, 'not found: silo with name "nope"'])
    const other = await w.raw({ url: '/login/acme/saml/nope/redirect' })
    expect((other.json as { message: string }).message).toBe('not found: identity-provider with name "nope"')
  })

  it('changes nothing', async () => {
    const before = await dump(w)
    await ask()
    expect(await dump(w)).toEqual(before)
  })
})

describe('an answer', () => {
  it('signs in: the session is new, and the browser forgets the request', async () => {
    const asked = await ask()
    const before = cookieIn(await signIn({ assertion: { subject: 'eve' } }), 'session')
    const response = await answer({ ...asked, cookie: `${asked.cookie}; ${before}` })
    expect(response).toMatchObject({ status: 303, headers: { location: '/' } })
    expect(response.cookies).toContain('asked=; Path=/login/acme/saml/corp; HttpOnly; Max-Age=0')
    expect(cookieIn(response, 'session')).not.toBe(before)
    expect(await me(response)).toMatchObject({ display_name: 'ann@example.org' })
    expect((await w.raw({ url: '/v1/me', headers: { cookie: before } })).status).toBe(401)
  })

  it('is accepted for the browser that asked alone', async () => {
    const [mine, others] = [await ask(), await ask()]
    const before = await dump(w)
    const wrong = refusal('this browser has not sent the request that the answer names')
    for (const cookie of [others.cookie, '', 'asked=', `asked=${mine.id.slice(1, 41)}`]) {
      const { status, json, cookies } = await answer({ ...mine, cookie })
      expect([status, (json as { message: string }).message, cookies]).toEqual([400, wrong, []])
    }
    expect(await dump(w)).toEqual(before)
    expect((await answer(mine)).status).toBe(303)
  })

  it('is accepted once, by all servers together', async () => {
    const asked = await ask()
    const other = await w.another()
    const body = form({ SAMLResponse: testAnswer({ now: w.clock.now(), inResponseTo: asked.id }) })
    expect((await post(body, asked.cookie)).status).toBe(303)
    const again = await other.raw({ method: 'POST', url: at, headers: { cookie: asked.cookie }, body })
    expect(again).toMatchObject({
      status: 400,
      json: { message: refusal('the assertion has been used before') },
    })
  })

  it('of the same request and at the same time signs in once', async () => {
    const asked = await ask()
    const body = form({ SAMLResponse: testAnswer({ now: w.clock.now(), inResponseTo: asked.id }) })
    const all = await Promise.all(Array.from({ length: 4 }, () => post(body, asked.cookie)))
    expect(all.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(all.filter(({ status }) => status === 400)).toHaveLength(3)
  })

  it('that was not asked for only makes the browser ask', async () => {
    const unasked = (relay: object) =>
      form({
        SAMLResponse: testAnswer({ now: w.clock.now() }),
        RelayState: btoa(JSON.stringify(relay)),
      })
    const before = await dump(w)
    const response = await post(unasked({ redirect_uri: '/images' }))
    expect(response.status).toBe(303)
    expect(response.headers['location']).toMatch(new RegExp(`^${signOnUrl}\\?`))
    expect(cookieIn(response, 'session')).toBe('')
    expect(await dump(w)).toEqual(before)
    // A provider that never names a request does not send the browser round for ever.
    const asked = await ask()
    expect(await post(unasked({}), asked.cookie)).toMatchObject({
      status: 400,
      json: { message: refusal('the answer names no request') },
    })
  })

  const now = () => w.clock.now()
  const elsewhere = 'https://other.example.org'
  const bad: [string, string, (id: string) => Answering][] = [
    ['signed by another', 'the signature is invalid', () => ({ key: 'other' })],
    [
      'of another issuer',
      'the issuer is not https://idp.example.org',
      () => ({ assertion: { issuer: elsewhere } }),
    ],
    ['without an issuer', 'no issuer in the answer', () => ({ assertion: { issuer: undefined } })],
    [
      'in a response of another issuer',
      'the issuer of the response is not https://idp.example.org',
      () => ({ responseIssuer: elsewhere }),
    ],
    ['for another destination', `the destination is not ${acsUrl}`, () => ({ destination: elsewhere })],
    ['without a destination', 'no destination in the answer', () => ({ destination: undefined })],
    [
      'for another audience',
      `the audience is not ${serviceEntityId}`,
      () => ({ assertion: { audiences: [[elsewhere]] } }),
    ],
    [
      'for several audiences, of which this is in one restriction alone',
      `the audience is not ${serviceEntityId}`,
      () => ({ assertion: { audiences: [[serviceEntityId], [elsewhere]] } }),
    ],
    ['without an audience', 'no audience in the assertion', () => ({ assertion: { audiences: [] } })],
    [
      'for another recipient',
      `the recipient is not ${acsUrl}`,
      (id) => ({ assertion: { confirmations: [{ ...confirmation(now(), id), recipient: elsewhere }] } }),
    ],
    [
      'whose confirmation is for another request',
      'the assertion and the response name different requests',
      () => ({ assertion: { confirmations: [confirmation(now(), '_other')] } }),
    ],
    [
      'whose confirmation has no end',
      'no end of validity of the confirmation',
      (id) => ({ assertion: { confirmations: [{ ...confirmation(now(), id), notOnOrAfter: undefined }] } }),
    ],
    [
      'whose confirmation has ended',
      'the assertion has expired',
      (id) => ({
        assertion: { confirmations: [{ ...confirmation(now(), id), notOnOrAfter: now() - 180_000 }] },
      }),
    ],
    [
      'with a key as the confirmation',
      'no confirmation of the subject by bearer',
      (id) => ({
        assertion: {
          confirmations: [
            { ...confirmation(now(), id), method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' },
          ],
        },
      }),
    ],
    [
      'that has expired',
      'the assertion has expired',
      () => ({ assertion: { notOnOrAfter: now() - 180_000 } }),
    ],
    [
      'that begins later',
      'the assertion is not valid yet',
      () => ({ assertion: { notBefore: now() + 180_001 } }),
    ],
    [
      'that is old',
      'the assertion was issued too long ago',
      () => ({ assertion: { issueInstant: now() - 270_001 } }),
    ],
    [
      'of the future',
      'the assertion was issued in the future',
      () => ({ assertion: { issueInstant: now() + 180_001 } }),
    ],
    [
      'without a time',
      'no time of issue in the assertion',
      () => ({ assertion: { issueInstant: undefined } }),
    ],
    [
      'of a session that is over',
      'the session at the identity provider is over',
      () => ({ assertion: { sessionNotOnOrAfter: now() - 180_000 } }),
    ],
    ['without a subject', 'no subject in assertion', () => ({ assertion: { subject: undefined } })],
    ['with an empty subject', 'no subject in assertion', () => ({ assertion: { subject: '' } })],
    [
      'with a long subject',
      'the subject is longer than 256 characters',
      () => ({ assertion: { subject: 'x'.repeat(257) } }),
    ],
    [
      'with a subject of several lines',
      'the subject has control characters',
      () => ({ assertion: { subject: 'ann\nadmin' } }),
    ],
    [
      'with too many groups',
      'the assertion names too many groups, or one with too long a name',
      () => ({
        assertion: {
          attributes: [{ name: 'groups', values: Array.from({ length: 501 }, (_, i) => `group ${i}`) }],
        },
      }),
    ],
  ]
  it.each(bad)('%s is refused, and the audit log says why', async (_, reason, how) => {
    const asked = await ask()
    const before = await dump(w)
    const response = await answer(asked, how(asked.id))
    expect(response.json).toEqual({
      request_id: expect.any(String) as string,
      message: refusal(reason),
    })
    expect(response).toMatchObject({ status: 400, cookies: [] })
    expect(await dump(w)).toEqual(before)
    await w.settle()
    const times = { startTime: new Date(now() - 1000), endTime: new Date(now() + 1000) }
    const log = await w
      .as('fleetAdmin')
      .auditLogList({ query: { ...times, sortBy: 'time_and_id_descending' } })
    expect(log.items[0]).toMatchObject({
      operationId: 'login_saml',
      result: { kind: 'error', errorMessage: refusal(reason) },
    })
  })

  const accepted: [string, (id: string) => Answering][] = [
    [
      'at the ends of all its times',
      () => ({
        assertion: {
          issueInstant: now() - 270_000,
          notBefore: now() + 180_000,
          notOnOrAfter: now() - 179_999,
        },
      }),
    ],
    [
      'with one confirmation of several that fits',
      (id) => ({
        assertion: {
          confirmations: [{ ...confirmation(now(), id), recipient: elsewhere }, confirmation(now(), id)],
        },
      }),
    ],
    ['for several audiences', () => ({ assertion: { audiences: [[elsewhere, serviceEntityId]] } })],
    ['in a response without an issuer', () => ({ responseIssuer: undefined })],
  ]
  it.each(accepted)('%s is accepted', async (_, how) => {
    const asked = await ask()
    expect((await answer(asked, how(asked.id))).status).toBe(303)
  })

  it('that is no form is refused', async () => {
    const { cookie } = await ask()
    const forms: [string, string][] = [
      ['', 'missing field `SAMLResponse`'],
      ['SAMLResponse=a&SAMLResponse=b', 'duplicate field'],
      ['SAMLResponse=a&RelayState=a&RelayState=b', 'duplicate field'],
      ['SAMLResponse=%zz', 'malformed percent-encoding'],
    ]
    for (const [body, reason] of forms)
      expect(await post(body, cookie)).toMatchObject({
        status: 400,
        json: { message: `unable to parse URL-encoded body: ${reason}` },
      })
    expect(await post('SAMLResponse=nonsense', cookie)).toMatchObject({
      status: 400,
      json: { message: refusal('it is no XML') },
    })
  })

  it('returns to this site, whatever the relay state says', async () => {
    for (const uri of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const asked = await ask()
      const response = await answer({ ...asked, relayState: btoa(JSON.stringify({ redirect_uri: uri })) })
      expect([uri, response.status, response.headers['location']]).toEqual([uri, 400, undefined])
    }
    for (const relayState of ['', 'of the provider', btoa('[]'), btoa('{"redirect_uri":null}')]) {
      const response = await answer({ ...(await ask()), relayState })
      expect([response.status, response.headers['location']]).toEqual([303, '/'])
    }
  })

  it('returns to an address with any characters, which the header has in ASCII', async () => {
    const back = await answer(await ask(`?redirect_uri=${encodeURIComponent('/größe?q=ü \u2215\uff0f')}`))
    expect(back.headers['location']).toBe('/gr%C3%B6%C3%9Fe?q=%C3%BC%20%E2%88%95%EF%BC%8F')
  })

  it('is checked less often for an address whose answers are refused', async () => {
    const remote = '203.0.113.7'
    const { cookie } = await ask()
    const wrong = () => post('SAMLResponse=nonsense', cookie, { remote })
    for (let i = 0; i < 51; i++) expect((await wrong()).status).toBe(400)
    expect((await wrong()).status).toBe(429)
    expect((await signIn()).status).toBe(303)
  })

  it('needs the port', async () => {
    const blind = await openWorld({ saml: 'the preview has none' })
    await addProvider(blind, 'acme', 'corp')
    const response = await blind.raw({ method: 'POST', url: at, body: 'SAMLResponse=a' })
    expect(response).toMatchObject({
      status: 503,
      json: { message: 'Service Unavailable: the preview has none' },
    })
    await blind.close()
  })
})

describe('the user of an answer', () => {
  const withGroups = (subject: string, ...values: string[]) => ({
    assertion: {
      subject,
      attributes: [
        { name: 'groups', values },
        { name: 'mail', values: ['x'] },
      ],
    },
  })

  it('is made just in time, once, with exactly the groups that the provider names', async () => {
    const first = await signIn(withGroups('bob', 'admins, ops', 'ops', ' dev ,'))
    const bob = await me(first)
    expect(await groupsOf(first)).toEqual(['admins', 'dev', 'ops'])
    const second = await signIn(withGroups('bob', 'dev', 'new'))
    expect(await me(second)).toEqual(bob)
    expect(await groupsOf(second)).toEqual(['dev', 'new'])
    // The groups that are empty now stay.
    const groups = (await w.as('admin').groupList({ query: {} })).items.map((group) => group.displayName)
    expect(groups).toEqual(expect.arrayContaining(['admins', 'ops', 'dev', 'new']))
    expect(await groupsOf(await signIn({ assertion: { subject: 'bob' } }))).toEqual([])
    const found = await w.as('admin').userList({ query: { find: 'bob' } })
    expect(found.items).toHaveLength(1)
  })

  it('gets the roles of the groups', async () => {
    const response = await signIn(withGroups('carl', 'managers'))
    const cookie = cookieIn(response, 'session')
    const projects = () => w.raw({ url: '/v1/projects', headers: { cookie } })
    expect((await projects()).status).toBe(403)
    const groups = await w.as('admin').groupList({ query: { find: 'managers' } })
    const policy = await w.as('admin').policyView()
    const assignment = {
      identityType: 'silo_group',
      identityId: groups.items[0]?.id ?? '',
      roleName: 'viewer',
    } as const
    await w.as('admin').policyUpdate({ body: { roleAssignments: [...policy.roleAssignments, assignment] } })
    expect((await projects()).status).toBe(200)
    await w.as('admin').policyUpdate({ body: policy })
  })

  it('is made once by answers at the same time', async () => {
    const asked = await Promise.all([ask(), ask(), ask()])
    const all = await Promise.all(asked.map((one) => answer(one, withGroups('dora', 'together', 'at once'))))
    expect(all.map(({ status }) => status)).toEqual([303, 303, 303])
    expect((await w.as('admin').userList({ query: { find: 'dora' } })).items).toHaveLength(1)
  })

  it('is in the audit log, with everything that was made', async () => {
    await signIn(withGroups('emil', 'of emil'))
    await w.settle()
    const times = { startTime: new Date(w.clock.now() - 1000), endTime: new Date(w.clock.now() + 1000) }
    const log = await w
      .as('fleetAdmin')
      .auditLogList({ query: { ...times, sortBy: 'time_and_id_descending' } })
    expect(log.items[0]).toMatchObject({
      operationId: 'login_saml',
      result: { kind: 'success', httpStatusCode: 303 },
    })
    expect(JSON.stringify(log.items[0])).toContain('of emil')
  })

  it('is made while there is room for users and groups, and signs in later without', async () => {
    const bob = await me(await signIn(withGroups('bob', 'ops')))
    const held = await inDb(w, async (tx) => {
      const rows = async (table: 'siloUser' | 'siloGroup') =>
        (
          await tx
            .selectFrom(table)
            .select('id')
            .where('siloId', '=', w.ids['acme'] ?? '')
            .execute()
        ).length
      return { users: await rows('siloUser'), groups: await rows('siloGroup') }
    })
    const attempt = async (room: typeof held, how: Answering) => {
      w.world.directory = room
      return signIn(how)
    }
    const full = (noun: string, most: number) => ({
      status: 507,
      cookies: [],
      json: { message: expect.stringContaining(`${noun} Limit Exceeded: the silo has ${most} of ${most}.`) },
    })
    expect(await attempt(held, withGroups('newcomer'))).toMatchObject(full('User', held.users))
    const { users, groups } = held
    expect(await attempt({ users: users + 1, groups }, withGroups('newcomer', 'unheard of'))).toMatchObject(
      full('Group', groups),
    )
    expect(await me(await attempt(held, withGroups('bob', 'ops', 'dev')))).toEqual(bob)
    const last = { users: users + 1, groups: groups + 1 }
    expect((await attempt(last, withGroups('newcomer', 'unheard of'))).status).toBe(303)
    delete w.world.directory
  })

  it('must exist where another program manages the users, whose groups stay as they are', async () => {
    await setMode('saml_scim')
    const before = await dump(w)
    expect(await signIn(withGroups('unknown', 'ops'))).toMatchObject({
      status: 401,
      json: { message: 'credentials missing or invalid' },
    })
    expect(await dump(w)).toEqual(before)
    const response = await signIn(withGroups('viewer', 'ops'))
    expect(await me(response)).toMatchObject({ id: w.ids['viewer'] })
    expect(await groupsOf(response)).toEqual([])
    await setMode('saml_jit')
  })
})

describe('those who have not signed in', () => {
  it('see how the users of a silo sign in', async () => {
    await addProvider(w, 'acme', 'another')
    const acme = await w.anonymous.loginOptions({ params: { siloName: 'acme' } })
    expect(acme).toEqual({
      password: false,
      providers: [
        { name: 'another', description: '', protocol: 'saml' },
        { name: 'corp', description: '', protocol: 'saml' },
      ],
    })
    const other = await w.anonymous.loginOptions({ params: { siloName: 'other' } })
    expect(other).toEqual({ password: true, providers: [] })
    await expect(w.anonymous.loginOptions({ params: { siloName: 'nope' } })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('get the metadata of the service', async () => {
    expect(await w.raw({ url: `${at}/metadata` })).toMatchObject({
      status: 200,
      text: `<service ${serviceEntityId} ${acsUrl}>`,
      headers: { 'content-type': 'application/samlmetadata+xml; charset=utf-8' },
    })
  })
})

it('an answer is accepted by the silo that it was requested of alone, also if another has the same settings', async () => {
  await addProvider(w, 'other', 'corp')
  const { id, cookie } = await ask()
  const body = form({ SAMLResponse: testAnswer({ now: w.clock.now(), inResponseTo: id }) })
  const remote = `198.51.100.${tests}`
  const theirs = await w.raw({
    method: 'POST',
    url: '/login/other/saml/corp',
    headers: { cookie },
    body,
    remote,
  })
  const reason = refusal('this browser has not sent the request that the answer names')
  expect(theirs).toMatchObject({ status: 400, json: { message: reason }, cookies: [] })
  expect((await post(body, cookie)).status).toBe(303)
})

it('answers that were accepted are forgotten once they would be too old', async () => {
  const stored = () =>
    w.world.engine.transaction('read', (tx) => tx.selectFrom('samlAnswer').select('key').execute())
  await signIn()
  expect(await stored()).not.toEqual([])
  await w.jump(60 * 60_000)
  expect(await stored()).toEqual([])
})
