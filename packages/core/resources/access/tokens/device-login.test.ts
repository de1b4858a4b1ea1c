import { beforeNextWrite } from '#/testing/access/before-write.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'
import { accessTokensOfUser } from '@purlin/contract/rules/counts'
import { limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})
const rejects = rejectsIn(() => w)
const clientId = '0b7a1c9e-0000-4000-8000-000000000001'
const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
const minute = 60_000
const idOf = (who: Who) => w.ids[who] ?? ''

const start = (ttlSeconds?: number) =>
  w.anonymous.deviceAuthRequest({ body: { clientId, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) } })
const confirm = (userCode: string, who: Who = 'viewer') => w.as(who).deviceAuthConfirm({ body: { userCode } })
const fetchToken = (deviceCode: string) =>
  w.anonymous.deviceAccessToken({ body: { grantType, deviceCode, clientId } })
const form = (url: string, body: string, headers: Record<string, string> = {}, remote?: string) =>
  w.raw({
    method: 'POST',
    url,
    body,
    remote,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const poll = (deviceCode: string, more: { client?: string; grant?: string; remote?: string } = {}) =>
  form(
    '/device/token',
    `grant_type=${encodeURIComponent(more.grant ?? grantType)}&device_code=${deviceCode}&client_id=${more.client ?? clientId}`,
    {},
    more.remote,
  )
async function login(who: Who = 'viewer', ttlSeconds?: number) {
  const { deviceCode, userCode } = await start(ttlSeconds)
  await confirm(userCode, who)
  return fetchToken(deviceCode)
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const me = (token: string) => w.raw({ url: '/v1/me', headers: bearer(token) })
const setMost = (deviceTokenMaxTtlSeconds: number | null) =>
  w.as('admin').authSettingsUpdate({ body: { deviceTokenMaxTtlSeconds } })

describe('a device that asks for codes', () => {
  it('gets both codes, the page for one, and their lifetime', async () => {
    const { status, json } = await form('/device/auth', `client_id=${clientId}`, { host: 'cloud.example:8' })
    expect(status).toBe(200)
    expect(json).toEqual({
      device_code: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/) as string,
      verification_uri: 'http://cloud.example:8/device/verify',
      expires_in: 300,
      interval: 5,
    })
  })

  it.each([
    ['no client', 'ttl_seconds=5', 'missing field `client_id`'],
    ['a client that is no id', 'client_id=cli', 'client_id'],
    ['no lifetime', `client_id=${clientId}&ttl_seconds=0`, 'ttl_seconds'],
    ['a lifetime that is no number', `client_id=${clientId}&ttl_seconds=x`, 'ttl_seconds'],
    ['a field twice', `client_id=${clientId}&client_id=${clientId}`, 'duplicate field `client_id`'],
  ])('is refused with %s', async (_, body, message) => {
    const { status, json } = await form('/device/auth', body)
    expect(status).toBe(400)
    expect((json as { message: string }).message).toContain(message)
  })

  it.each([
    ['', 'missing field `client_id`'],
    ['client_id=%zz', 'malformed percent-encoding'],
    [Array.from({ length: 1000 }, () => 'a=1').join('&'), 'more than'],
  ])('names the form that cannot be read, case %#', async (body, reason) => {
    const { status, json } = await form('/device/auth', body)
    expect(status).toBe(400)
    expect((json as { message: string }).message).toMatch(`unable to parse URL-encoded body: ${reason}`)
  })

  it('sends a form', async () => {
    const json = { 'content-type': 'application/json' }
    const { status, text } = await form('/device/auth', JSON.stringify({ client_id: clientId }), json)
    expect(status).toBe(400)
    expect(text).toContain('application/x-www-form-urlencoded')
    const ours = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    expect((await form('/device/auth', `client_id=${clientId}`, ours)).status).toBe(200)
  })

  it('waits after many requests from its address, and no other address does', async () => {
    const ask = (remote: string) => form('/device/auth', `client_id=${clientId}`, {}, remote)
    for (let i = 0; i < 61; i++) expect((await ask('192.0.2.1')).status).toBe(200)
    const { status, headers } = await ask('192.0.2.1')
    expect([status, headers['retry-after']]).toEqual([429, '1'])
    expect((await ask('192.0.2.2')).status).toBe(200)
    await w.advance(1000)
    expect((await ask('192.0.2.1')).status).toBe(200)
  })

  it('waits when as many as there may be wait, until their codes have expired', async () => {
    const row = (i: number) => ({
      id: w.world.ids.uuid(),
      deviceCodeHash: `d${i}`,
      userCodeHash: `u${i}`,
      clientId,
      ttl: null,
      siloUserId: null,
      timeCreated: w.clock.now(),
    })
    await inDb(w, async (tx) => {
      for (let from = 0; from < limits.deviceRequests; from += 1000)
        await tx
          .insertInto('deviceRequest')
          .values(Array.from({ length: 1000 }, (_, i) => row(from + i)))
          .execute()
    })
    await rejects(() => start(), { status: 429, code: 'TooManyRequests' })
    await w.jump(16 * minute)
    await start()
    const left = await inDb(w, (tx) => tx.selectFrom('deviceRequest').select('id').execute())
    expect(left).toHaveLength(1)
  })
})

describe('a user who enters the code', () => {
  it('types it in any case, with or without its dash', async () => {
    for (const typed of [
      (code: string) => code.toLowerCase(),
      (code: string) => code.replace('-', ''),
      (code: string) => ` ${code} `,
    ]) {
      const { deviceCode, userCode } = await start()
      await confirm(typed(userCode))
      await fetchToken(deviceCode)
    }
  })

  it('has signed in', async () => {
    const { userCode } = await start()
    const body = JSON.stringify({ user_code: userCode })
    expect((await w.raw({ method: 'POST', url: '/device/confirm', body })).status).toBe(401)
    const headers = { origin: 'http://elsewhere.test' }
    expect(
      (await w.raw({ method: 'POST', url: '/device/confirm', body, headers, who: 'viewer' })).status,
    ).toBe(403)
  })

  it('sees that no device waits with a code, or that it was confirmed before', async () => {
    await rejects(() => confirm('BCDF-GHJK'), {
      status: 404,
      message: 'not found: device-auth-request with name "BCDF-GHJK"',
    })
    const { userCode } = await start()
    await confirm(userCode)
    await rejects(() => confirm(userCode, 'admin'), { status: 404 })
  })

  it('sees that a code has expired', async () => {
    const { userCode } = await start()
    await w.jump(300_001)
    await w.as('viewer').currentUserView({ query: {} })
    await w.settle()
    await rejects(() => confirm(userCode), { status: 400, message: 'device authorization request expired' })
  })

  it('is refused a longer lifetime than the silo allows', async () => {
    await setMost(3600)
    const { userCode, deviceCode } = await start(3601)
    await rejects(() => confirm(userCode), {
      status: 400,
      message: 'Requested TTL 3601 seconds exceeds maximum allowed TTL for this silo of 3600 seconds',
    })
    expect((await poll(deviceCode)).json).toEqual({ error: 'authorization_pending' })
  })

  it('has a limited number of tokens', async () => {
    const now = w.clock.now()
    await inDb(w, (tx) =>
      tx
        .insertInto('accessToken')
        .values(
          Array.from({ length: accessTokensOfUser - 1 }, (_, i) => ({
            id: w.world.ids.uuid(),
            tokenHash: `t${i}`,
            siloUserId: idOf('viewer'),
            timeCreated: now,
            timeExpires: i === 0 ? now + minute : null,
          })),
        )
        .execute(),
    )
    await confirm((await start()).userCode)
    const { userCode } = await start()
    await rejects(() => confirm(userCode), { status: 507, code: 'InsufficientCapacity' })
    await w.advance(minute)
    await confirm(userCode)
  })

  it('has a session when the code is confirmed, though it ended after the request began', async () => {
    const { userCode, deviceCode } = await start()
    await w.settle()
    // The session has been read by then.
    beforeNextWrite(w.world.engine, () => w.as('viewer').logout())
    await expect(confirm(userCode)).rejects.toMatchObject({ status: 401 })
    expect(await poll(deviceCode)).toMatchObject({ json: { error: 'authorization_pending' } })
  })

  it('waits after many wrong ones', async () => {
    for (let i = 0; i < 61; i++) await rejects(() => confirm('BCDF-GHJK'), { status: 404 })
    const { userCode } = await start()
    await rejects(() => confirm(userCode), { status: 429 })
    await w.advance(1000)
    await confirm(userCode)
  })
})

describe('a device that asks for its token', () => {
  it('waits, and gets it once', async () => {
    const { deviceCode, userCode } = await start()
    expect(await poll(deviceCode)).toMatchObject({ status: 400, json: { error: 'authorization_pending' } })
    expect((await poll(deviceCode)).json).toEqual({ error: 'slow_down' })
    await w.advance(5000)
    expect((await poll(deviceCode)).json).toEqual({ error: 'authorization_pending' })
    await confirm(userCode)
    const { status, json } = await poll(deviceCode)
    expect([status, json]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^purlin-token-[0-9a-f]{40}$/) as string,
        token_type: 'bearer',
        token_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        time_expires: null,
      },
    ])
    expect((await poll(deviceCode)).json).toEqual({ error: 'invalid_grant' })
  })

  it('gets one for two requests at the same time', async () => {
    const { deviceCode, userCode } = await start()
    await confirm(userCode)
    const answers = await Promise.all(Array.from({ length: 4 }, () => poll(deviceCode)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await w.as('viewer').currentUserAccessTokenList({ query: {} })).items).toHaveLength(1)
  })

  it('gets the reason of a refusal', async () => {
    const { deviceCode, userCode } = await start()
    expect((await poll(deviceCode, { grant: 'password' })).json).toEqual({ error: 'unsupported_grant_type' })
    expect((await poll('0'.repeat(40))).json).toEqual({ error: 'invalid_grant' })
    const other = clientId.replace(/1$/, '2')
    await confirm(userCode)
    expect((await poll(deviceCode, { client: other })).json).toEqual({ error: 'invalid_grant' })
    await w.jump(300_001)
    expect((await poll(deviceCode)).json).toEqual({ error: 'expired_token' })
    expect((await form('/device/token', 'grant_type=x')).json).toMatchObject({
      message: expect.stringContaining('missing field `device_code`') as string,
    })
  })

  it('gets none of a user who has been deactivated since', async () => {
    const { userCode, deviceCode } = await start()
    await confirm(userCode)
    const confirmed = await inDb(w, (tx) => tx.selectFrom('deviceRequest').selectAll().execute())
    await w
      .as('admin')
      .localIdpUserDeactivate({ params: { userId: idOf('viewer') }, query: { silo: 'acme' } })
    // As if it had been confirmed at the same time.
    await inDb(w, (tx) => tx.insertInto('deviceRequest').values(confirmed).execute())
    expect(await poll(deviceCode)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
    await inDb(w, (tx) => tx.deleteFrom('deviceRequest').execute())
  })

  it('waits after many wrong codes from its address', async () => {
    for (let i = 0; i < 61; i++) await poll('0'.repeat(40), { remote: '192.0.2.1' })
    expect((await poll('0'.repeat(40), { remote: '192.0.2.1' })).status).toBe(429)
    expect((await poll('0'.repeat(40), { remote: '192.0.2.2' })).status).toBe(400)
    // A signed-in user at that address has guessed nothing.
    const { userCode } = await start()
    const confirmed = await w.raw({
      method: 'POST',
      url: '/device/confirm',
      who: 'viewer',
      remote: '192.0.2.1',
      body: JSON.stringify({ user_code: userCode }),
    })
    expect(confirmed.status).toBe(204)
  })
})

describe('an access token', () => {
  it('has the requested lifetime, or else the maximum of the silo', async () => {
    const lifeOf = async (ttl?: number) => {
      const { timeExpires } = await login('viewer', ttl)
      return timeExpires && (timeExpires.getTime() - w.clock.now()) / 1000
    }
    expect(await lifeOf()).toBeNull()
    expect(await lifeOf(60)).toBe(60)
    await setMost(3600)
    expect(await lifeOf()).toBe(3600)
    expect(await lifeOf(3600)).toBe(3600)
  })

  it('has the rights of its user until it expires', async () => {
    const { accessToken } = await login('admin', 60)
    expect((await me(accessToken)).json).toMatchObject({ id: idOf('admin'), silo_admin: true })
    const body = JSON.stringify({ name: 'made', description: '' })
    const request = { method: 'POST', url: '/v1/projects', headers: bearer(accessToken), body }
    expect((await w.raw(request)).status).toBe(201)
    await w.advance(60_000)
    expect((await me(accessToken)).status).toBe(401)
    expect((await w.as('admin').currentUserAccessTokenList({ query: {} })).items).toEqual([])
    await w.jump(11 * minute)
    expect(await inDb(w, (tx) => tx.selectFrom('accessToken').select('id').execute())).toEqual([])
  })

  it('is not stored', async () => {
    const { accessToken } = await login()
    const rows = await inDb(w, (tx) => tx.selectFrom('accessToken').selectAll().execute())
    expect(JSON.stringify(rows)).not.toContain(accessToken.slice(-40))
  })

  it.each([
    ['another kind of token', `Bearer purlin-scim-${'0'.repeat(40)}`, 401],
    ['an unknown one', `Bearer purlin-token-${'0'.repeat(40)}`, 401],
    ['another scheme', 'Basic YTpi', 400],
    ['none after the scheme', 'Bearer', 400],
  ])('%s is refused', async (_, authorization, status) => {
    expect((await w.raw({ url: '/v1/me', headers: { authorization } })).status).toBe(status)
    expect((await w.raw({ url: '/v1/ping', headers: { authorization } })).status).toBe(200)
  })

  it('is ignored with a session cookie, and as a cookie', async () => {
    const { accessToken } = await login()
    const both = { ...bearer(accessToken), cookie: 'session=gone' }
    expect((await w.raw({ url: '/v1/me', headers: both })).status).toBe(401)
    expect((await w.raw({ url: '/v1/me', headers: { cookie: `session=${accessToken}` } })).status).toBe(401)
  })

  it('is listed and deleted by its user, immediately on every server', async () => {
    const other = await w.another()
    const { accessToken, tokenId } = await login()
    const there = () => other.raw({ url: '/v1/me', headers: bearer(accessToken) })
    expect((await there()).status).toBe(200)
    // The use is stored after the answer.
    await w.settle()
    const own = (await w.as('viewer').currentUserAccessTokenList({ query: {} })).items
    expect(own).toEqual([
      {
        id: tokenId,
        name: null,
        timeCreated: new Date(w.clock.now()),
        timeExpires: null,
        timeLastUsed: new Date(w.clock.now()),
      },
    ])
    const params = { tokenId }
    await rejects(() => w.as('admin').currentUserAccessTokenDelete({ params }), {
      status: 404,
      message: `not found: device-access-token with id "${tokenId}"`,
    })
    await w.as('viewer').currentUserAccessTokenDelete({ params })
    expect((await there()).status).toBe(401)
    expect((await me(accessToken)).status).toBe(401)
  })

  it('is seen by its user and by admins of the silo', async () => {
    const { tokenId } = await login()
    const params = { userId: idOf('viewer') }
    for (const who of ['viewer', 'admin'] as const)
      expect((await w.as(who).userTokenList({ params, query: {} })).items.map(({ id }) => id)).toEqual([
        tokenId,
      ])
    for (const who of ['collaborator', 'fleetAdmin'] as const)
      await rejects(() => w.as(who).userTokenList({ params, query: {} }), { status: 403 })
    await rejects(() => w.as('stranger').userTokenList({ params, query: {} }), { status: 404 })
  })

  it.each<[string, () => Promise<unknown>]>([
    [
      'with the user',
      () => w.as('admin').localIdpUserDelete({ params: { userId: idOf('viewer') }, query: { silo: 'acme' } }),
    ],
    [
      'when an admin ends all sessions',
      () => w.as('admin').userLogout({ params: { userId: idOf('viewer') } }),
    ],
    [
      'with another password',
      () =>
        w.as('admin').localIdpUserSetPassword({
          params: { userId: idOf('viewer') },
          query: { silo: 'acme' },
          body: { mode: 'login_disallowed' },
        }),
    ],
  ])('ends %s, as does a confirmed request', async (_, end) => {
    const { accessToken } = await login()
    const { deviceCode, userCode } = await start()
    await confirm(userCode)
    await end()
    expect((await me(accessToken)).status).toBe(401)
    expect((await poll(deviceCode)).json).toEqual({ error: 'invalid_grant' })
  })
})

describe('the settings of a silo', () => {
  it('are seen by its users, and changed by its admins and collaborators of the fleet', async () => {
    expect(await w.as('noRole').authSettingsView()).toEqual({
      siloId: w.ids['acme'],
      deviceTokenMaxTtlSeconds: null,
      secondFactorRequired: false,
    })
    expect((await setMost(60)).deviceTokenMaxTtlSeconds).toBe(60)
    expect((await w.as('stranger').authSettingsView()).deviceTokenMaxTtlSeconds).toBeNull()
    const body = { deviceTokenMaxTtlSeconds: null }
    await rejects(() => w.as('collaborator').authSettingsUpdate({ body }), { status: 403 })
    expect((await w.as('fleetAdmin').authSettingsUpdate({ body })).deviceTokenMaxTtlSeconds).toBeNull()
  })

  it.each(['{}', '{"device_token_max_ttl_seconds":0}', '{"device_token_max_ttl_seconds":-1}'])(
    'are not %s',
    async (body) => {
      expect((await w.raw({ method: 'PUT', url: '/v1/auth-settings', who: 'admin', body })).status).toBe(400)
    },
  )
})

it('the audit log has the user who confirmed, and the sign-in of the device', async () => {
  const { tokenId } = await login()
  const range = { startTime: new Date(0), endTime: new Date(w.clock.now() + minute) }
  const { items } = await w.as('admin').siloAuditLogList({ query: range })
  const seen = items.map((one) => [one.operationId, one.actorName])
  expect(seen).toContainEqual(['device_auth_confirm', 'viewer'])
  expect(seen).toContainEqual(['device_access_token', 'viewer'])
  expect(JSON.stringify(items)).not.toContain('purlin-token-')
  await w.as('viewer').currentUserAccessTokenDelete({ params: { tokenId } })
  const after = await w.as('admin').siloAuditLogList({ query: range })
  const objectsOf = (operation: string) =>
    after.items.find(({ operationId }) => operationId === operation)?.objects
  const token = { type: 'device-access-token', id: tokenId }
  expect(objectsOf('device_access_token')).toContainEqual({ ...token, nameBefore: null, nameAfter: tokenId })
  expect(objectsOf('current_user_access_token_delete')).toContainEqual({
    ...token,
    nameBefore: tokenId,
    nameAfter: null,
  })
  const about = await w.as('admin').siloAuditLogList({ query: { ...range, object: tokenId } })
  expect(about.items.map(({ operationId }) => operationId).toSorted()).toEqual([
    'current_user_access_token_delete',
    'device_access_token',
  ])
})
