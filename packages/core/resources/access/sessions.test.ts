import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGroup, createUser, grant } from '#/seed/rows.ts'
import { cheapPasswords, openWorld, type RawResponse, type TestWorld, type Who } from '#/testing/world.ts'

const allUsers: Who[] = [
  'admin',
  'collaborator',
  'viewer',
  'noRole',
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
  remote?: string
}
const signIn = ({
  silo = 'acme',
  username = 'admin',
  password = 'admin-password',
  ...more
}: Login = {}): Promise<RawResponse> =>
  w.raw({
    method: 'POST',
    url: `/v1/login/${silo}/local`,
    body: JSON.stringify({ username, password }),
    ...more,
  })
const me = (cookie: string) => w.raw({ url: '/v1/me', headers: { cookie } })
const cookieOf = (response: RawResponse) => response.cookies[0]?.split(';')[0] ?? ''
const sessions = () =>
  w.world.engine.transaction('read', (tx) => tx.selectFrom('session').selectAll().execute())

describe('ping', () => {
  it('answers anybody', async () => {
    expect(await w.anonymous.ping()).toEqual({ status: 'ok' })
    expect(await w.as('noRole').ping()).toEqual({ status: 'ok' })
  })
})

describe('sign-in', () => {
  it('the right password starts a session', async () => {
    const response = await signIn()
    expect(response).toMatchObject({ status: 204, text: '' })
    expect(response.cookies[0]).toMatch(
      /^session=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/,
    )
    expect((await me(cookieOf(response))).json).toMatchObject({ id: w.ids['admin'] })
  })

  it('every sign-in starts a separate session, also with a stale cookie', async () => {
    const first = await signIn()
    const second = await signIn({ headers: { cookie: 'session=stale' } })
    expect(cookieOf(second)).not.toBe(cookieOf(first))
    expect((await me(cookieOf(first))).status).toBe(200)
    expect((await me(cookieOf(second))).status).toBe(200)
  })

  it('signing in again ends the session that the browser had, also one of another user', async () => {
    const [first, elsewhere] = [cookieOf(await signIn()), cookieOf(await signIn())]
    const wrongPassword = await signIn({ password: 'nope', headers: { cookie: first } })
    expect([wrongPassword.status, (await me(first)).status]).toEqual([401, 200])
    const second = cookieOf(
      await signIn({ username: 'viewer', password: 'viewer-password', headers: { cookie: first } }),
    )
    expect((await me(first)).status).toBe(401)
    expect((await me(second)).json).toMatchObject({ id: w.ids['viewer'] })
    expect((await me(elsewhere)).status).toBe(200)
  })

  it('the token itself is not stored', async () => {
    const token = cookieOf(await signIn()).slice('session='.length)
    expect(JSON.stringify(await sessions())).not.toContain(token)
  })

  it.each([
    ['a wrong password', { password: 'nope' }],
    ['an empty password', { password: '' }],
    ['an unknown user', { username: 'unknown' }],
    ['a user of another silo', { username: 'stranger', password: 'stranger-password' }],
    ['a name that cannot exist', { username: 'Not a Name!' }],
    ['the hash in place of the password', { password: 'plain:admin-password' }],
  ])('%s: 401, and no cookie', async (_, login) => {
    const before = await sessions()
    const response = await signIn(login)
    expect(response.status).toBe(401)
    expect(response.json).toMatchObject(wrong)
    expect(response.cookies).toEqual([])
    expect(await sessions()).toEqual(before)
  })

  it('a user without a password cannot sign in', async () => {
    const siloId = w.ids['acme'] ?? ''
    await w.world.engine.transaction('write', (tx) =>
      createUser(w.world, tx, { siloId, name: 'locked', passwordHash: null }),
    )
    expect((await signIn({ username: 'locked', password: '' })).status).toBe(401)
    expect((await signIn({ username: 'locked', password: 'no user has this password' })).status).toBe(401)
  })

  it('a hash with former parameters is replaced at the next sign-in, for which it still counts', async () => {
    const hashOf = () =>
      w.world.engine.transaction('read', (tx) =>
        tx
          .selectFrom('siloUser')
          .select('passwordHash')
          .where('externalId', '=', 'admin')
          .executeTakeFirstOrThrow(),
      )
    const before = await hashOf()
    const made: string[] = []
    const newer = (hash: string) => hash.replace(/^plain:/, 'newer:')
    const passwords = {
      ...cheapPasswords,
      hash: async (password: string) => newer(await cheapPasswords.hash(password)),
      verify: (hash: string, password: string) => {
        made.push(hash)
        return cheapPasswords.verify(hash.replace(/^newer:/, 'plain:'), password)
      },
      isOutdated: (hash: string) => !hash.startsWith('newer:'),
    }
    w.world.passwords = { ...passwords, hash: () => Promise.reject(new Error('too busy')) }
    expect([(await signIn({ username: 'norole', password: 'noRole-password' })).status]).toEqual([500])
    w.world.passwords = passwords
    expect((await signIn({ password: 'nope' })).status).toBe(401)
    expect(await hashOf()).toEqual(before)
    expect((await signIn()).status).toBe(204)
    expect(await hashOf()).toEqual({ passwordHash: newer(before.passwordHash ?? '') })
    expect((await signIn()).status).toBe(204)
    expect(made).toContain(newer(before.passwordHash ?? ''))
  })

  it('one password is verified for every attempt: the time does not show which names exist', async () => {
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
      await w.clock.jump(15 * 60_000)
      expect(await fail(1)).toEqual([401])
    }
    expect((await signIn()).headers['retry-after']).toBe('900')
  })

  it('a success resets the failures', async () => {
    await fail(5)
    expect((await signIn()).status).toBe(204)
    expect(await fail(6)).toEqual([401, 401, 401, 401, 401, 401])
  })

  it('an hour without an attempt resets the failures', async () => {
    await fail(6)
    await w.clock.jump(60 * 60_000)
    expect(await fail(6)).toEqual([401, 401, 401, 401, 401, 401])
  })

  it('other accounts, also of the same name in another silo, are not delayed', async () => {
    await fail(7)
    expect((await signIn({ username: 'viewer', password: 'viewer-password' })).status).toBe(204)
    expect(await fail(1, { silo: 'other' })).toEqual([401])
  })

  it('names that do not exist are delayed in the same way', async () => {
    expect(await fail(7, { username: 'unknown' })).toEqual([401, 401, 401, 401, 401, 401, 429])
  })

  it('one address may fail 50 times over all accounts', async () => {
    for (let i = 0; i < 51; i++) expect(await fail(1, { username: `guess-${i}` })).toEqual([401])
    expect(await signIn()).toMatchObject({ status: 429, headers: { 'retry-after': '2' } })
    await w.clock.advance(2000)
    expect((await signIn()).status).toBe(204)
    // The success of one account does not reset the others.
    expect(await fail(1, { username: 'guess' })).toEqual([401])
    expect((await signIn()).headers['retry-after']).toBe('4')
  })
})

describe('strangers', () => {
  /** Concurrent wrong passwords from many addresses: a delayed answer waits for the clock. */
  const attack = async (addresses: number, login: Login = {}) => {
    const attempts = Array.from({ length: addresses }, (_, i) =>
      signIn({ password: 'nope', remote: `2001:db8:${i.toString(16)}::1`, ...login }),
    )
    await w.clock.advance(10_000)
    return Promise.all(attempts.map(async (one) => (await one).status))
  }
  const [home, elsewhere] = ['192.0.2.1', '192.0.2.2']
  const knownCookie = (response: RawResponse) => response.cookies[1]?.split(';')[0] ?? ''
  const knows = async (login: Login = {}) => knownCookie(await signIn({ remote: home, ...login }))

  it('with failures from one address are refused there, and the owner signs in from another', async () => {
    expect(await fail(7, { remote: elsewhere })).toEqual([401, 401, 401, 401, 401, 401, 429])
    expect((await signIn({ remote: home })).status).toBe(204)
  })

  it('with failures from many addresses slow the account down and never block it', async () => {
    expect(new Set(await attack(40))).toEqual(new Set([401]))
    let status = 0
    void signIn({ remote: home }).then((response) => (status = response.status))
    await w.clock.advance(7999)
    expect(status).toBe(0)
    await w.clock.advance(1)
    expect(status).toBe(204)
  })

  it('cannot slow down or refuse a browser in which the owner has signed in before', async () => {
    const cookie = await knows()
    await fail(6, { remote: home })
    expect((await signIn({ remote: home })).status).toBe(429)
    expect((await signIn({ remote: home, headers: { cookie } })).status).toBe(204)
    await attack(40)
    // The clock stands still, so a delayed answer would never come.
    expect((await signIn({ remote: home, headers: { cookie } })).status).toBe(204)
  })

  it('are not let in by such a browser: it has five free failures, wherever it is', async () => {
    const cookie = await knows()
    const statuses = []
    for (let i = 0; i < 7; i++)
      statuses.push(...(await fail(1, { remote: `192.0.2.${i + 10}`, headers: { cookie } })))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429])
    expect((await signIn({ remote: home })).status).toBe(204)
  })

  it('do not have the mark of another account, another silo, or one that they made', async () => {
    await fail(6, { remote: elsewhere })
    const ofViewer = await knows({ username: 'viewer', password: 'viewer-password' })
    const own = await knows()
    const forged = own.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const later = own.replace(/-\d+-/, '-9999999999999-')
    for (const cookie of [ofViewer, forged, later, 'known=', 'known=x.y', own.replace('known', 'unknown')])
      expect((await signIn({ remote: elsewhere, headers: { cookie } })).status, cookie).toBe(429)
    expect((await signIn({ remote: elsewhere, headers: { cookie: own } })).status).toBe(204)
    expect(own).toMatch(/^known=[0-9a-f]{16}-\d{13}-[0-9a-f]{64}$/)
  })

  it('have no use of a mark from before the password was changed', async () => {
    const cookie = await knows()
    await w.world.engine.transaction('write', (tx) =>
      tx.updateTable('siloUser').set({ passwordHash: 'plain:another-password' }).execute(),
    )
    await fail(6, { remote: elsewhere })
    expect((await signIn({ remote: elsewhere, headers: { cookie } })).status).toBe(429)
  })

  it('a browser remembers five accounts of a silo, for its sign-in page only', async () => {
    const names = ['admin', 'collaborator', 'viewer', 'noRole', 'fleetAdmin', 'projectAdmin'] as const
    let cookie = ''
    for (const name of [...names, 'projectAdmin'] as const) {
      const login = { username: name.toLowerCase(), password: `${name}-password`, headers: { cookie } }
      const response = await signIn(login)
      expect(response.cookies[1]).toMatch(
        /^known=\S+; Path=\/v1\/login\/acme\/local; HttpOnly; SameSite=Strict; Max-Age=7776000$/,
      )
      cookie = knownCookie(response)
    }
    expect(cookie.split('.')).toHaveLength(5)
    for (const name of ['admin', 'collaborator']) await fail(6, { remote: elsewhere, username: name })
    const from = (username: string) =>
      signIn({ remote: elsewhere, username, password: `${username}-password`, headers: { cookie } })
    expect([(await from('admin')).status, (await from('collaborator')).status]).toEqual([429, 204])
  })
})

describe('sign-out', () => {
  const signOut = (headers: Record<string, string> = {}) =>
    w.raw({ method: 'POST', url: '/v1/logout', headers })
  const cleared = 'session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'

  it('ends the session and clears the cookie', async () => {
    const cookie = cookieOf(await signIn())
    const other = cookieOf(await signIn())
    expect(await signOut({ cookie })).toMatchObject({ status: 204, cookies: [cleared] })
    expect((await me(cookie)).status).toBe(401)
    expect((await me(other)).status).toBe(200)
  })

  it('works without a session, with an unknown and with an expired one', async () => {
    const cookie = cookieOf(await signIn())
    await w.clock.jump(25 * 60 * 60_000)
    for (const headers of [{}, { cookie: 'session=' }, { cookie: 'session=unknown' }, { cookie }] as Record<
      string,
      string
    >[])
      expect(await signOut(headers)).toMatchObject({ status: 204, cookies: [cleared] })
  })
})

const siloRoles: Partial<Record<Who, string>> = {
  admin: 'admin',
  collaborator: 'collaborator',
  viewer: 'viewer',
  stranger: 'admin',
}

describe('the signed-in user', () => {
  it.each(allUsers)('%s sees who it is', async (who) => {
    const silo = who === 'stranger' ? 'other' : 'acme'
    expect(await w.as(who).currentUserView({ query: {} })).toEqual({
      id: w.ids[who],
      displayName: who.toLowerCase(),
      siloId: w.ids[silo],
      siloName: silo,
      fleetViewer: who === 'fleetAdmin',
      siloAdmin: ['admin', 'stranger', 'fleetAdmin'].includes(who),
      fleetRole: who === 'fleetAdmin' ? 'admin' : null,
      siloRole: siloRoles[who] ?? null,
      sessionIdleSeconds: 480 * 60,
    })
  })

  it.each([
    // A collaborator of the silo is an admin of its projects.
    ['admin', 'admin'],
    ['collaborator', 'admin'],
    ['viewer', 'viewer'],
    ['projectAdmin', 'admin'],
    ['projectCollaborator', 'collaborator'],
    ['projectViewer', 'viewer'],
  ] as const)('%s has the role %s on a project', async (who, role) => {
    for (const project of ['demo', w.ids['demo'] ?? ''])
      expect(await w.as(who).currentUserView({ query: { project } })).toMatchObject({ projectRole: role })
  })

  it('has the strongest role of those of its groups, and the role that is left when one ends', async () => {
    const role = async () =>
      (await w.as('projectViewer').currentUserView({ query: { project: 'demo' } })).projectRole
    const groupId = await w.world.engine.transaction('write', async (tx) => {
      const group = { siloId: w.ids['acme'], displayName: 'crew', userIds: [w.ids['projectViewer'] ?? ''] }
      const id = await createGroup(w.world, tx, { ...group, siloId: group.siloId ?? '' })
      const crew = { identityType: 'silo_group', identityId: id } as const
      await grant(tx, {
        ...crew,
        resourceType: 'project',
        resourceId: w.ids['demo'] ?? '',
        roleName: 'collaborator',
      })
      return id
    })
    expect(await role()).toBe('collaborator')
    await w.world.engine.transaction('write', (tx) =>
      tx.deleteFrom('roleAssignment').where('identityId', '=', groupId).execute(),
    )
    expect(await role()).toBe('viewer')
  })

  it('has no role on a project that it does not see or that does not exist', async () => {
    const role = async (who: Who, project: string) =>
      (await w.as(who).currentUserView({ query: { project } })).projectRole
    for (const who of ['noRole', 'stranger', 'fleetAdmin'] as const) {
      expect(await role(who, 'demo')).toBe(null)
      expect(await role(who, w.ids['demo'] ?? '')).toBe(null)
    }
    expect(await role('admin', 'no-such')).toBe(null)
  })

  it('without a session: 401', async () => {
    await expect(w.anonymous.currentUserView({ query: {} })).rejects.toMatchObject({ status: 401 })
    await expect(w.anonymous.currentUserGroups({ query: {} })).rejects.toMatchObject({ status: 401 })
  })

  it('sees the own groups, page by page', async () => {
    const siloId = w.ids['acme'] ?? ''
    const userIds = [w.ids['noRole'] ?? '']
    const ids = await w.world.engine.transaction('write', async (tx) => {
      const one = await createGroup(w.world, tx, { siloId, displayName: 'one', userIds })
      const two = await createGroup(w.world, tx, { siloId, displayName: 'two', userIds })
      await createGroup(w.world, tx, { siloId, displayName: 'of others', userIds: [] })
      return [one, two].toSorted()
    })
    const first = await w.as('noRole').currentUserGroups({ query: { limit: 1 } })
    expect(first.items).toMatchObject([{ id: ids[0], siloId }])
    const rest = await w
      .as('noRole')
      .currentUserGroups({ query: { limit: 1, pageToken: first.nextPage ?? '' } })
    expect(rest).toMatchObject({ items: [{ id: ids[1] }], nextPage: null })
    expect(await w.as('admin').currentUserGroups({ query: {} })).toEqual({ items: [], nextPage: null })
  })
})
