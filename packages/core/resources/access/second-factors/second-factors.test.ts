import { recentSignInMs } from '@purlin/contract/rules/credentials/second-factors'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { issueAccessToken } from '#/auth/sessions.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type RawResponse, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
})
afterAll(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})
// Each test has an address whose failures do not slow down the others, and users without factors.
let remote = ''
let addresses = 0
beforeEach(async () => {
  remote = `203.0.113.${++addresses}`
  await w.jump(60 * 60_000)
  const now = w.clock.now()
  await inDb(w, (tx) => tx.updateTable('session').set({ timeCreated: now, timeLastUsed: now }).execute())
  for (const table of ['secondFactor', 'recoveryCode', 'signInChallenge', 'tally'] as const)
    await inDb(w, (tx) => tx.deleteFrom(table).execute())
  await inDb(w, (tx) =>
    tx.updateTable('silo').set({ needsSecondFactor: null, identityMode: 'local_only' }).execute(),
  )
})

const json = { 'content-type': 'application/json' }
const local = '/v1/login/acme/local'
const step = `${local}/second-factor`
const cookieIn = ({ cookies }: RawResponse, name: string) =>
  cookies.find((one) => one.startsWith(`${name}=`))?.split(';')[0] ?? ''
const post = (url: string, body: object, cookie = '') =>
  w.raw({ method: 'POST', url, headers: { ...json, cookie }, body: JSON.stringify(body), remote })
const signIn = (username = 'viewer', cookie = '') =>
  post(local, { username, password: `${username}-password` }, cookie)
const codeOf = (secret: string, ms = 0) => new TOTP({ secret }).generate({ timestamp: w.clock.now() + ms })
/** A cookie of a session that has just begun. */
const fresh = async () => cookieIn(await signIn(), 'session')
const begin = async (cookie: string) =>
  (await post('/v1/me/second-factor/begin', { type: 'totp' }, cookie)).json as {
    secret: string
    address: string
  }
/** The viewer has an app. The next code is valid, that of this time is used. */
async function addApp(name = 'phone', cookie?: string) {
  const session = cookie ?? (await fresh())
  const { secret } = await begin(session)
  const proof = { type: 'totp', code: codeOf(secret) }
  const { status, json: added } = await post('/v1/me/second-factor/confirm', { name, proof }, session)
  expect(status).toBe(201)
  return { secret, session, codes: (added as { codes: string[] }).codes }
}
/** The cookie of a sign-in whose password was right. */
const password = async (cookie = '') => {
  const answer = await signIn('viewer', cookie)
  expect(answer).toMatchObject({ status: 401, json: { error_code: 'SecondFactorNeeded' } })
  expect(cookieIn(answer, 'session')).toBe('')
  return cookieIn(answer, 'second-factor')
}
const next = async (secret: string) => {
  await w.jump(30_000)
  return { type: 'totp', code: codeOf(secret) }
}
const isSignedIn = async (cookie: string) =>
  (await w.raw({ url: '/v1/me', headers: { cookie } })).status === 200
const requireFactor = (secondFactorRequired: boolean) =>
  w.as('admin').authSettingsUpdate({ body: { deviceTokenMaxTtlSeconds: null, secondFactorRequired } })

describe('a sign-in with an app', () => {
  it('makes no access token before its second step', async () => {
    const { secret } = await addApp()
    const make = (cookie: string) => post('/v1/me/access-tokens', { name: 'early', ttl_seconds: 60 }, cookie)
    const cookie = await password()
    expect((await make(cookie)).status).toBe(401)
    const done = await post(step, await next(secret), cookie)
    expect((await make(cookieIn(done, 'session'))).status).toBe(201)
  })

  it('has two steps, and a new session at the end', async () => {
    const { secret, session } = await addApp()
    const cookie = await password(session)
    expect((await w.raw({ url: step, headers: { cookie } })).json).toEqual({ step: 'prove', types: ['totp'] })
    const done = await post(step, await next(secret), `${cookie}; ${session}`)
    expect(done).toMatchObject({ status: 204, text: '' })
    const own = cookieIn(done, 'session')
    expect(own).not.toBe(session)
    expect(await isSignedIn(own)).toBe(true)
    expect(await isSignedIn(session)).toBe(false)
    expect(done.cookies.find((one) => one.startsWith('second-factor='))).toContain('Max-Age=0')
    expect(done.cookies.find((one) => one.startsWith('known='))).toBeDefined()
  })

  it('has a cookie that scripts and other sites do not get', async () => {
    await addApp()
    const [cookie] = (await signIn()).cookies
    expect(cookie).toMatch(
      /^second-factor=[\w-]{43}; Path=\/v1\/login\/acme\/local\/second-factor; HttpOnly; SameSite=Strict; Max-Age=600$/,
    )
  })

  it('does not begin without the password, even with the code', async () => {
    const { secret } = await addApp()
    const proof = await next(secret)
    expect((await post(step, proof)).status).toBe(400)
    expect((await post(step, proof, 'second-factor=made-up')).status).toBe(400)
    const wrong = await post(local, { username: 'viewer', password: 'a guess' })
    expect(wrong).toMatchObject({ status: 401, json: { error_code: 'Unauthorized' }, cookies: [] })
  })

  it('does not take a code twice, nor that with which the app was added', async () => {
    const { secret } = await addApp()
    expect((await post(step, { type: 'totp', code: codeOf(secret) }, await password())).status).toBe(401)
    const proof = await next(secret)
    expect((await post(step, proof, await password())).status).toBe(204)
    expect((await post(step, proof, await password())).status).toBe(401)
  })

  it('completes once, also at the same time', async () => {
    const { secret } = await addApp()
    const cookie = await password()
    const proof = await next(secret)
    const answers = await Promise.all([1, 2, 3].map(() => post(step, proof, cookie)))
    expect(answers.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1)
    expect((await post(step, await next(secret), cookie)).status).toBe(400)
  })

  it('takes codes of a clock that is 30 s off, and with spaces', async () => {
    const { secret } = await addApp()
    await w.jump(120_000)
    const early = codeOf(secret, -30_000)
    expect((await post(step, { type: 'totp', code: codeOf(secret, -60_000) }, await password())).status).toBe(
      401,
    )
    const spaced = `${early.slice(0, 3)} ${early.slice(3)}`
    expect((await post(step, { type: 'totp', code: spaced }, await password())).status).toBe(204)
  })

  it('is over after 10 minutes, and after 5 wrong codes', async () => {
    const { secret } = await addApp()
    const late = await password()
    await w.jump(11 * 60_000)
    expect((await post(step, await next(secret), late)).status).toBe(400)
    const cookie = await password()
    for (let i = 0; i < 5; i++)
      expect((await post(step, { type: 'totp', code: 'wrong' }, cookie)).status).toBe(401)
    await w.jump(60_000)
    expect((await post(step, await next(secret), cookie)).status).toBe(400)
  })

  it('makes guesses of codes wait, from whatever address and with however many passwords', async () => {
    const { secret } = await addApp()
    const answers: number[] = []
    for (let i = 0; i < 8; i++) {
      remote = `198.51.100.${i}`
      answers.push((await post(step, { type: 'totp', code: 'wrong' }, await password())).status)
    }
    expect(answers.slice(0, 6)).toEqual([401, 401, 401, 401, 401, 401])
    expect(answers.slice(6)).toEqual([429, 429])
    expect((await post(step, { type: 'totp', code: codeOf(secret) }, await password())).status).toBe(429)
    await w.jump(20 * 60_000)
    expect((await post(step, await next(secret), await password())).status).toBe(204)
  })

  it('continues on another server', async () => {
    const { secret } = await addApp()
    const cookie = await password()
    const second = await w.another()
    const body = JSON.stringify(await next(secret))
    const answer = await second.raw({ method: 'POST', url: step, headers: { ...json, cookie }, body, remote })
    expect(answer.status).toBe(204)
  })

  it('ends with the password that it began with', async () => {
    const { secret, session } = await addApp()
    const cookie = await password()
    const change = { current_password: 'viewer-password', new_password: 'a newer password' }
    expect((await post('/v1/me/password', change, session)).status).toBe(204)
    expect((await post(step, await next(secret), cookie)).status).toBe(400)
    await inDb(w, (tx) =>
      tx
        .updateTable('siloUser')
        .set({ passwordHash: 'plain:viewer-password' })
        .where('displayName', '=', 'viewer')
        .execute(),
    )
  })

  it('is of its silo alone', async () => {
    const { secret } = await addApp()
    const cookie = await password()
    expect((await post(step.replace('acme', 'other'), await next(secret), cookie)).status).toBe(400)
  })
})

describe('recovery codes', () => {
  it('are made with the first factor, and sign in once each', async () => {
    const { codes, session } = await addApp()
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    expect((await addApp('tablet', session)).codes).toEqual([])
    const [code = ''] = codes
    expect(code).toMatch(/^[0-9a-f]{5}(-[0-9a-f]{5}){3}$/)
    const typed = { type: 'recovery_code', code: code.toUpperCase().replaceAll('-', ' ') }
    const done = await post(step, typed, await password())
    expect(done.status).toBe(204)
    const left = await w.raw({ url: '/v1/me/recovery-codes', headers: { cookie: cookieIn(done, 'session') } })
    expect(left.json).toEqual({ left: 9 })
    expect((await post(step, typed, await password())).status).toBe(401)
    expect(
      JSON.stringify(await inDb(w, (tx) => tx.selectFrom('recoveryCode').selectAll().execute())),
    ).not.toContain(codes[1]?.replaceAll('-', ''))
  })

  it('are replaced, which voids the former ones', async () => {
    const { codes, session } = await addApp()
    const answer = await post('/v1/me/recovery-codes', {}, session)
    const replaced = (answer.json as { codes: string[] }).codes
    expect(replaced).toHaveLength(10)
    expect((await post(step, { type: 'recovery_code', code: codes[0] }, await password())).status).toBe(401)
    expect((await post(step, { type: 'recovery_code', code: replaced[0] }, await password())).status).toBe(
      204,
    )
  })

  it('need a factor', async () => {
    expect(await post('/v1/me/recovery-codes', {}, await fresh())).toMatchObject({ status: 400 })
  })

  it('of another user do not count', async () => {
    const { codes } = await addApp()
    const collaborator = cookieIn(await signIn('collaborator'), 'session')
    await addApp('phone', collaborator)
    const answer = await signIn('collaborator')
    const cookie = cookieIn(answer, 'second-factor')
    expect((await post(step, { type: 'recovery_code', code: codes[0] }, cookie)).status).toBe(401)
  })
})

describe('a factor', () => {
  it('is listed without its secret, renamed and deleted', async () => {
    const { secret, session } = await addApp()
    const headers = { ...json, cookie: session }
    const list = async () => (await w.raw({ url: '/v1/me/second-factors', headers })).text
    expect(JSON.parse(await list())).toMatchObject({
      items: [{ name: 'phone', type: 'totp', time_last_used: null }],
    })
    expect(await list()).not.toContain(secret)
    const one = '/v1/me/second-factors/phone'
    const renamed = await w.raw({
      method: 'PUT',
      url: one,
      headers,
      body: JSON.stringify({ name: 'old-phone' }),
    })
    expect(renamed).toMatchObject({ status: 200, json: { name: 'old-phone' } })
    expect((await w.raw({ method: 'DELETE', url: one, headers })).status).toBe(404)
    expect((await w.raw({ method: 'DELETE', url: '/v1/me/second-factors/old-phone', headers })).status).toBe(
      204,
    )
    expect((await w.raw({ url: '/v1/me/recovery-codes', headers })).json).toEqual({ left: 0 })
    expect((await signIn()).status).toBe(204)
  })

  it('is added with the code of its app alone', async () => {
    const cookie = await fresh()
    const confirm = (code: string, name = 'phone') =>
      post('/v1/me/second-factor/confirm', { name, proof: { type: 'totp', code } }, cookie)
    expect(await confirm('000000')).toMatchObject({ status: 400 })
    const { secret, address } = await begin(cookie)
    expect(address).toContain(`secret=${secret}`)
    expect(address).toMatch(/^otpauth:\/\/totp\/Purlin%20acme:viewer\?/)
    expect(await confirm('000000')).toMatchObject({ status: 400, json: { error_code: 'InvalidValue' } })
    expect((await signIn()).status).toBe(204)
    expect((await confirm(codeOf(secret))).status).toBe(201)
    expect(await confirm(codeOf(secret), 'again')).toMatchObject({ status: 400 })
    await begin(cookie)
    await w.jump(11 * 60_000)
    expect(await confirm('000000')).toMatchObject({ status: 400, json: { error_code: 'InvalidRequest' } })
  })

  it('has a name that no other one of the user has', async () => {
    const { session } = await addApp()
    const { secret } = await begin(session)
    const body = { name: 'phone', proof: { type: 'totp', code: codeOf(secret) } }
    expect(await post('/v1/me/second-factor/confirm', body, session)).toMatchObject({
      status: 400,
      json: { error_code: 'ObjectAlreadyExists' },
    })
  })

  it('is changed with a recent sign-in alone', async () => {
    const { session } = await addApp()
    await w.jump(recentSignInMs + 1000)
    const refused = { status: 403, json: { error_code: 'RecentSignInNeeded' } }
    expect(await post('/v1/me/second-factor/begin', { type: 'totp' }, session)).toMatchObject(refused)
    const body = { name: 'x', proof: { type: 'totp', code: '000000' } }
    expect(await post('/v1/me/second-factor/confirm', body, session)).toMatchObject(refused)
    expect(await post('/v1/me/recovery-codes', {}, session)).toMatchObject(refused)
    const one = { method: 'DELETE', url: '/v1/me/second-factors/phone', headers: { cookie: session } }
    expect(await w.raw(one)).toMatchObject(refused)
  })

  it('is not changed with an access token, which goes on without one', async () => {
    await addApp()
    const siloUserId = w.ids['viewer'] ?? ''
    const { token } = await inDb(w, (tx) => issueAccessToken(w.world, tx, { siloUserId, ttl: null }))
    const headers = { ...json, authorization: `Bearer ${token}` }
    const begun = { method: 'POST', url: '/v1/me/second-factor/begin', headers, body: '{"type":"totp"}' }
    expect((await w.raw(begun)).status).toBe(403)
    expect((await w.raw({ url: '/v1/me', headers })).status).toBe(200)
  })

  it('is for local users alone', async () => {
    const cookie = await fresh()
    await inDb(w, (tx) => tx.updateTable('silo').set({ identityMode: 'saml_jit' }).execute())
    expect((await post('/v1/me/second-factor/begin', { type: 'totp' }, cookie)).status).toBe(404)
  })
})

describe('a silo that requires a second factor', () => {
  it('has users without one add it at their next sign-in', async () => {
    await requireFactor(true)
    const cookie = await password()
    expect((await w.raw({ url: step, headers: { cookie } })).json).toEqual({
      step: 'add',
      types: ['totp', 'passkey'],
    })
    expect((await post(step, { type: 'totp', code: '000000' }, cookie)).status).toBe(400)
    expect(await isSignedIn(cookie)).toBe(false)
    const { secret } = (await post(`${step}/begin`, { type: 'totp' }, cookie)).json as { secret: string }
    const confirm = (code: string) =>
      post(`${step}/confirm`, { name: 'phone', proof: { type: 'totp', code } }, cookie)
    expect((await confirm('000000')).status).toBe(400)
    const done = await confirm(codeOf(secret))
    expect((done.json as { codes: string[] }).codes).toHaveLength(10)
    expect(await isSignedIn(cookieIn(done, 'session'))).toBe(true)
    expect((await confirm(codeOf(secret))).status).toBe(400)
    expect((await post(step, await next(secret), await password())).status).toBe(204)
  })

  it('does not let a user add another one with the password alone', async () => {
    await requireFactor(true)
    // Another browser has begun before.
    const other = await password()
    const { secret } = (await post(`${step}/begin`, { type: 'totp' }, other)).json as { secret: string }
    await addAppWhileRequired()
    const cookie = await password()
    expect((await post(`${step}/begin`, { type: 'totp' }, cookie)).status).toBe(400)
    const proof = { type: 'totp', code: codeOf(secret) }
    expect(await post(`${step}/confirm`, { name: 'thief', proof }, other)).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('no sign-in waits') as string },
    })
  })

  it('keeps the last one of a user', async () => {
    const { session } = await addApp()
    await requireFactor(true)
    const one = { method: 'DELETE', url: '/v1/me/second-factors/phone', headers: { cookie: session } }
    expect(await w.raw(one)).toMatchObject({ status: 400, json: { error_code: 'InvalidRequest' } })
    await addApp('tablet', session)
    expect((await w.raw(one)).status).toBe(204)
  })

  it('does not end the sessions that there are', async () => {
    const cookie = await fresh()
    await requireFactor(true)
    expect(await isSignedIn(cookie)).toBe(true)
  })

  it('says so in its settings, which keep it unless they name it', async () => {
    await requireFactor(true)
    const body = { deviceTokenMaxTtlSeconds: 60 }
    expect(await w.as('admin').authSettingsUpdate({ body })).toMatchObject({ secondFactorRequired: true })
    expect(await w.as('collaborator').authSettingsView()).toMatchObject({ secondFactorRequired: true })
    expect(await requireFactor(false)).toMatchObject({ secondFactorRequired: false })
    expect((await signIn()).status).toBe(204)
  })

  it('has local users', async () => {
    await inDb(w, (tx) => tx.updateTable('silo').set({ identityMode: 'saml_jit' }).execute())
    await expect(requireFactor(true)).rejects.toMatchObject({ status: 400 })
  })
})

async function addAppWhileRequired() {
  const cookie = await password()
  const { secret } = (await post(`${step}/begin`, { type: 'totp' }, cookie)).json as { secret: string }
  await post(`${step}/confirm`, { name: 'phone', proof: { type: 'totp', code: codeOf(secret) } }, cookie)
}

describe('the reset of a user', () => {
  const reset = (who: 'admin' | 'collaborator', user = 'viewer') =>
    w
      .as(who)
      .localIdpUserResetSecondFactor({ params: { userId: w.ids[user] ?? '' }, query: { silo: 'acme' } })

  it('deletes all factors and codes, and is in the audit log', async () => {
    await addApp()
    await reset('admin')
    expect((await signIn()).status).toBe(204)
    const rows = await inDb(w, (tx) => tx.selectFrom('recoveryCode').selectAll().execute())
    expect(rows).toEqual([])
    const { items } = await w.as('admin').siloAuditLogList({
      query: { startTime: new Date('2026-01-01T00:00:00Z'), operation: 'local_idp_user_reset_second_factor' },
    })
    expect(items).toMatchObject([
      {
        actorName: 'admin',
        objects: expect.arrayContaining([expect.objectContaining({ id: w.ids['viewer'] })]) as unknown,
      },
    ])
  })

  it('is for admins, and not for users with a stronger role on the fleet', async () => {
    await expect(reset('collaborator')).rejects.toMatchObject({ status: 403 })
    await expect(reset('admin', 'fleetAdmin')).rejects.toMatchObject({ status: 403 })
  })

  it('needs a recent sign-in for oneself', async () => {
    await w.jump(recentSignInMs + 1000)
    const refused = { status: 403, code: 'RecentSignInNeeded' }
    await expect(reset('admin', 'admin')).rejects.toMatchObject(refused)
    await reset('admin')
  })
})

it('the audit log has both steps, without codes', async () => {
  const { secret, codes } = await addApp()
  const proof = await next(secret)
  const cookie = await password()
  await post(step, { type: 'totp', code: '111111' }, cookie)
  await post(step, proof, cookie)
  const { items } = await w.as('admin').siloAuditLogList({
    query: { startTime: new Date(w.clock.now() - 60_000), operation: 'login_second_factor' },
  })
  expect(items.map(({ actorName, result }) => [actorName, result.kind])).toEqual([
    [null, 'error'],
    ['viewer', 'success'],
  ])
  for (const one of [secret, ...codes, proof.code]) expect(JSON.stringify(items)).not.toContain(one)
})
