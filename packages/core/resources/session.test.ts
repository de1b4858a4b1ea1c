import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGroup, createUser } from '../seed/rows.ts'
import { cheapPasswords, openWorld, type RawResponse, type TestWorld, type Who } from '../testing/world.ts'

const everybody: Who[] = [
  'admin',
  'collaborator',
  'viewer',
  'nobody',
  'projectAdmin',
  'projectCollaborator',
  'projectViewer',
  'fleetAdmin',
  'stranger',
]
const wrong = { message: 'credentials missing or invalid', error_code: 'Unauthorized' }

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(() => w.close())

interface Login {
  silo?: string
  username?: string
  password?: string
  headers?: Record<string, string>
}
const signIn = ({
  silo = 'acme',
  username = 'admin',
  password = 'admin-password',
  headers = {},
}: Login = {}): Promise<RawResponse> =>
  w.raw({
    method: 'POST',
    url: `/v1/login/${silo}/local`,
    body: JSON.stringify({ username, password }),
    headers,
  })
const me = (cookie: string) => w.raw({ url: '/v1/me', headers: { cookie } })
const cookieOf = (response: RawResponse) => response.headers['set-cookie']?.split(';')[0] ?? ''
const sessions = () =>
  w.world.engine.transaction('read', (tx) => tx.selectFrom('session').selectAll().execute())

describe('ping', () => {
  it('answers anybody', async () => {
    expect(await w.anonymous.ping()).toEqual({ status: 'ok' })
    expect(await w.as('nobody').ping()).toEqual({ status: 'ok' })
  })
})

describe('sign-in', () => {
  it('the right password starts a session', async () => {
    const response = await signIn()
    expect(response).toMatchObject({ status: 204, text: '' })
    expect(response.headers['set-cookie']).toMatch(
      /^session=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/,
    )
    expect((await me(cookieOf(response))).json).toMatchObject({ id: w.ids['admin'] })
  })

  it('every sign-in starts a session of its own, also beside a stale cookie', async () => {
    const first = await signIn()
    const second = await signIn({ headers: { cookie: 'session=stale' } })
    expect(cookieOf(second)).not.toBe(cookieOf(first))
    expect((await me(cookieOf(first))).status).toBe(200)
    expect((await me(cookieOf(second))).status).toBe(200)
  })

  it('the token itself is not stored', async () => {
    const token = cookieOf(await signIn()).slice('session='.length)
    expect(JSON.stringify(await sessions())).not.toContain(token)
  })

  it.each([
    ['a wrong password', { password: 'nope' }],
    ['an empty password', { password: '' }],
    ['an unknown user', { username: 'nobody-knows' }],
    ['a user of another silo', { username: 'stranger', password: 'stranger-password' }],
    ['a name that cannot exist', { username: 'Not a Name!' }],
    ['the hash in place of the password', { password: 'plain:admin-password' }],
  ])('%s: 401, and no cookie', async (_, login) => {
    const before = await sessions()
    const response = await signIn(login)
    expect(response.status).toBe(401)
    expect(response.json).toMatchObject(wrong)
    expect(response.headers['set-cookie']).toBeUndefined()
    expect(await sessions()).toEqual(before)
  })

  it('a user without a password cannot sign in', async () => {
    const siloId = w.ids['acme'] ?? ''
    await w.world.engine.transaction('write', (tx) =>
      createUser(w.world, tx, { siloId, name: 'locked', passwordHash: null }),
    )
    expect((await signIn({ username: 'locked', password: '' })).status).toBe(401)
    expect((await signIn({ username: 'locked', password: 'nobody has this password' })).status).toBe(401)
  })

  it('one password is verified, whoever asks: time does not tell which names exist', async () => {
    let verified = 0
    w.world.passwords = {
      ...cheapPasswords,
      verify: (hash, password) => (verified++, cheapPasswords.verify(hash, password)),
    }
    for (const login of [{}, { password: 'nope' }, { username: 'unknown' }, { username: 'Not a Name!' }]) {
      verified = 0
      await signIn(login)
      expect(verified).toBe(1)
    }
  })

  it('an unknown silo is not found', async () => {
    const response = await signIn({ silo: 'nope' })
    expect(response.status).toBe(404)
    expect(response.json).toMatchObject({
      error_code: 'ObjectNotFound',
      message: 'not found: silo with name "nope"',
    })
    expect((await signIn({ silo: 'Bad' })).status).toBe(400)
  })

  it('a silo with another way to sign in has no local one', async () => {
    await w.world.engine.transaction('write', (tx) =>
      tx.updateTable('silo').set({ identityMode: 'saml_jit' }).where('name', '=', 'acme').execute(),
    )
    const response = await signIn()
    expect(response.status).toBe(404)
    expect(response.json).toMatchObject({ message: 'not found: identity-provider with name "local"' })
  })

  it('a password has at most 512 bytes', async () => {
    expect((await signIn({ password: 'ä'.repeat(256) })).status).toBe(401)
    for (const password of ['ä'.repeat(256) + 'a', 'a'.repeat(513)]) {
      const response = await signIn({ password })
      expect(response.status).toBe(400)
      expect(response.json).toMatchObject({
        error_code: 'InvalidValue',
        message: 'unsupported value for "password": a password may have at most 512 bytes',
      })
    }
  })

  it('a failure of the password check is no wrong password, and is counted as none', async () => {
    w.world.passwords = { ...cheapPasswords, verify: () => Promise.reject(new Error('out of memory')) }
    for (let i = 0; i < 8; i++) expect((await signIn()).status).toBe(500)
    w.world.passwords = cheapPasswords
    expect((await signIn()).status).toBe(204)
  })
})

const fail = async (times: number, login: Login = {}) => {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push((await signIn({ password: 'nope', ...login })).status)
  return statuses
}

describe('limits of sign-in', () => {
  it('after five free failures each further one doubles the wait', async () => {
    expect(await fail(6)).toEqual([401, 401, 401, 401, 401, 401])
    const refused = await signIn()
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '2' } })
    expect(refused.json).toMatchObject({ message: 'too many sign-in attempts, try again in 2 seconds' })
    await w.clock.advance(1999)
    expect(await fail(1)).toEqual([429])
    await w.clock.advance(1)
    expect(await fail(1)).toEqual([401])
    expect((await signIn()).headers['retry-after']).toBe('4')
  })

  it('the wait ends at 15 minutes', async () => {
    await fail(5)
    for (let i = 0; i < 12; i++) {
      await w.clock.advance(15 * 60_000)
      expect(await fail(1)).toEqual([401])
    }
    expect((await signIn()).headers['retry-after']).toBe('900')
  })

  it('a success wipes the failures out', async () => {
    await fail(5)
    expect((await signIn()).status).toBe(204)
    expect(await fail(6)).toEqual([401, 401, 401, 401, 401, 401])
  })

  it('an hour without an attempt is forgiven', async () => {
    await fail(6)
    await w.clock.advance(60 * 60_000)
    expect(await fail(6)).toEqual([401, 401, 401, 401, 401, 401])
  })

  it('other accounts, also of the same name in another silo, are not held up', async () => {
    await fail(7)
    expect((await signIn({ username: 'viewer', password: 'viewer-password' })).status).toBe(204)
    expect(await fail(1, { silo: 'other' })).toEqual([401])
  })

  it('names that do not exist are held up alike', async () => {
    expect(await fail(7, { username: 'unknown' })).toEqual([401, 401, 401, 401, 401, 401, 429])
  })

  it('one address may fail 50 times over all accounts', async () => {
    for (let i = 0; i < 51; i++) expect(await fail(1, { username: `guess-${i}` })).toEqual([401])
    expect(await signIn()).toMatchObject({ status: 429, headers: { 'retry-after': '2' } })
    await w.clock.advance(2000)
    expect((await signIn()).status).toBe(204)
    // The success of one account has bought nothing for the others.
    expect(await fail(1, { username: 'guess' })).toEqual([401])
    expect((await signIn()).headers['retry-after']).toBe('4')
  })
})

describe('sign-out', () => {
  const signOut = (headers: Record<string, string> = {}) =>
    w.raw({ method: 'POST', url: '/v1/logout', headers })
  const cleared = 'session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'

  it('ends the session and clears the cookie', async () => {
    const cookie = cookieOf(await signIn())
    const other = cookieOf(await signIn())
    expect(await signOut({ cookie })).toMatchObject({ status: 204, headers: { 'set-cookie': cleared } })
    expect((await me(cookie)).status).toBe(401)
    expect((await me(other)).status).toBe(200)
  })

  it('works without a session, with an unknown and with an expired one', async () => {
    const cookie = cookieOf(await signIn())
    await w.clock.advance(25 * 60 * 60_000)
    for (const headers of [{}, { cookie: 'session=' }, { cookie: 'session=unknown' }, { cookie }] as Record<
      string,
      string
    >[])
      expect(await signOut(headers)).toMatchObject({ status: 204, headers: { 'set-cookie': cleared } })
  })
})

describe('the signed-in user', () => {
  it.each(everybody)('%s sees who it is', async (who) => {
    const silo = who === 'stranger' ? 'other' : 'acme'
    expect(await w.as(who).currentUserView()).toEqual({
      id: w.ids[who],
      displayName: who.toLowerCase(),
      siloId: w.ids[silo],
      siloName: silo,
      fleetViewer: who === 'fleetAdmin',
      siloAdmin: ['admin', 'stranger', 'fleetAdmin'].includes(who),
    })
  })

  it('without a session: 401', async () => {
    await expect(w.anonymous.currentUserView()).rejects.toMatchObject({ status: 401 })
    await expect(w.anonymous.currentUserGroups({ query: {} })).rejects.toMatchObject({ status: 401 })
  })

  it('sees the own groups, page by page', async () => {
    const siloId = w.ids['acme'] ?? ''
    const userIds = [w.ids['nobody'] ?? '']
    const ids = await w.world.engine.transaction('write', async (tx) => {
      const one = await createGroup(w.world, tx, { siloId, displayName: 'one', userIds })
      const two = await createGroup(w.world, tx, { siloId, displayName: 'two', userIds })
      await createGroup(w.world, tx, { siloId, displayName: 'of others', userIds: [] })
      return [one, two].toSorted()
    })
    const first = await w.as('nobody').currentUserGroups({ query: { limit: 1 } })
    expect(first.items).toMatchObject([{ id: ids[0], siloId }])
    const rest = await w
      .as('nobody')
      .currentUserGroups({ query: { limit: 1, pageToken: first.nextPage ?? '' } })
    expect(rest).toMatchObject({ items: [{ id: ids[1] }], nextPage: null })
    expect(await w.as('admin').currentUserGroups({ query: {} })).toEqual({ items: [], nextPage: null })
  })
})
