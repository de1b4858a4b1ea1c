import { issueAccessToken, sessionsOf } from '#/auth/sessions.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const headersOf = (more: Record<string, string>) => ({ 'content-type': 'application/json', ...more })
const signIn = async (password: string) =>
  (
    await w.raw({
      method: 'POST',
      url: '/v1/login/acme/local',
      headers: headersOf({}),
      body: JSON.stringify({ username: 'viewer', password }),
      // Failures of a test do not slow down its sign-ins.
      remote: '203.0.113.7',
    })
  ).status
const change = (
  current: string,
  next: string,
  headers: Record<string, string> = { cookie: w.cookieOf('viewer') },
) =>
  w.raw({
    method: 'POST',
    url: '/v1/me/password',
    headers: headersOf(headers),
    body: JSON.stringify({ current_password: current, new_password: next }),
  })
const old = 'viewer-password'
const fresh = 'a new password'

it('a local user changes the own password, which ends all other sessions and access tokens', async () => {
  const siloUserId = w.ids['viewer'] ?? ''
  const other = await inDb(w, (tx) => sessionsOf(w.world).start(tx, siloUserId))
  const { token } = await inDb(w, (tx) => issueAccessToken(w.world, tx, { siloUserId, ttl: null }))
  const { status, cookies } = await change(old, fresh)
  expect(status).toBe(204)
  expect(cookies.join()).toContain('known=')
  const me = (headers: Record<string, string>) => w.raw({ url: '/v1/me', headers }).then((one) => one.status)
  expect(await me({ cookie: w.cookieOf('viewer') })).toBe(200)
  expect(await me({ cookie: `session=${other}` })).toBe(401)
  expect(await me({ authorization: `Bearer ${token}` })).toBe(401)
  expect(await signIn(old)).toBe(401)
  expect(await signIn(fresh)).toBe(204)
})

it('it needs the current password', async () => {
  const { status, json } = await change('a guess', fresh)
  expect({ status, json: json as unknown }).toMatchObject({
    status: 400,
    json: { error_code: 'InvalidValue', message: expect.stringContaining('current_password') as string },
  })
  expect(await signIn(old)).toBe(204)
})

it.each([
  ['short', 'must have at least 12 characters'],
  ['I am the Viewer', 'must not contain the name of the user'],
  ['Password1234', 'is one of the common passwords'],
])('its new one is refused as that of any user is: %s', async (next, reason) => {
  const { status, json } = await change(old, next)
  expect({ status, json: json as unknown }).toMatchObject({
    status: 400,
    json: { message: expect.stringMatching(`new_password.*${reason}`) as string },
  })
})

it('guesses at it wait as those of a sign-in do', async () => {
  const answers: number[] = []
  for (let i = 0; i < 8; i++) answers.push((await change(`guess ${i}`, fresh)).status)
  expect(answers).toContain(429)
  expect((await change(old, fresh)).status).toBe(429)
})

it('an access token does not change it', async () => {
  const siloUserId = w.ids['viewer'] ?? ''
  const { token } = await inDb(w, (tx) => issueAccessToken(w.world, tx, { siloUserId, ttl: null }))
  expect((await change(old, fresh, { authorization: `Bearer ${token}` })).status).toBe(403)
})

it('a user of a silo with an identity provider has none', async () => {
  await inDb(w, (tx) =>
    tx.updateTable('silo').set({ identityMode: 'saml_jit' }).where('name', '=', 'acme').execute(),
  )
  expect((await change(old, fresh)).status).toBe(404)
})

it('its change is in the audit log, without the passwords', async () => {
  await change('a guess', fresh)
  await change(old, fresh)
  const { items } = await w.as('admin').siloAuditLogList({
    query: { startTime: new Date('2026-01-01T00:00:00Z'), operation: 'current_user_password_update' },
  })
  expect(items).toMatchObject([
    { actorName: 'viewer', result: { kind: 'error', httpStatusCode: 400 } },
    {
      actorName: 'viewer',
      result: { kind: 'success' },
      objects: [{ type: 'silo-user', id: w.ids['viewer'] }],
    },
  ])
  for (const secret of ['a guess', old, fresh]) expect(JSON.stringify(items)).not.toContain(secret)
})
