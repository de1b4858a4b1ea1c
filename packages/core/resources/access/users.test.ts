import { limits } from '@purlin/contract/rules/limits'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batches } from '#/db/batches.ts'
import { addPrincipalWords } from '#/db/rows/principals.ts'
import { createGroup, grant } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

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
const idOf = (who: Who) => w.ids[who] ?? ''
const acme = { silo: 'acme' }
const password = (value: string) => ({ mode: 'password', value }) as const
const create = (name: string, who: Who = 'admin', silo = 'acme') =>
  w.as(who).localIdpUserCreate({
    query: { silo },
    body: { externalId: name, password: password('correct horse battery') },
  })
const signIn = (username: string, secret: string, from: object = {}) =>
  w.raw({
    ...from,
    method: 'POST',
    url: '/v1/login/acme/local',
    body: JSON.stringify({ username, password: secret }),
  })

describe('a local user', () => {
  it('is made by an admin of the silo or the fleet, and signs in', async () => {
    const made = await create('zoe')
    expect(made).toEqual({ id: made.id, displayName: 'zoe', siloId: w.ids['acme'] })
    expect((await signIn('zoe', 'correct horse battery')).status).toBe(204)
    await create('yan', 'fleetAdmin', 'other')
    await expect(create('xia', 'collaborator')).rejects.toMatchObject({ status: 403 })
    await expect(create('xia', 'stranger')).rejects.toMatchObject({ status: 404 })
    await expect(create('xia', 'admin', 'other')).rejects.toMatchObject({ status: 404 })
  })

  it('has a unique name in the silo', async () => {
    await rejects(() => create('viewer'), {
      code: 'ObjectAlreadyExists',
      message: 'already exists: silo-user "viewer"',
    })
    await create('viewer', 'stranger', 'other')
    const { status } = await w.raw({
      method: 'POST',
      url: '/v1/system/identity-providers/local/users?silo=acme',
      who: 'admin',
      body: JSON.stringify({ external_id: 'a@b', password: { mode: 'login_disallowed' } }),
    })
    expect(status).toBe(400)
  })

  it.each([
    ['too short', 'x'.repeat(11)],
    ['too long', 'x'.repeat(513)],
    ['a common one', 'password2026'],
    ['the name of the user, and more', 'this is zoe-weiss'],
  ])('a password that is %s is refused', async (_, value) => {
    const refusal = { status: 400, code: 'InvalidValue' }
    const body = { externalId: 'zoe-weiss', password: password(value) }
    await rejects(() => w.as('admin').localIdpUserCreate({ query: acme, body }), refusal)
    const { id: userId } = await create('zoe-weiss')
    const set = { params: { userId }, query: acme, body: body.password }
    await rejects(() => w.as('admin').localIdpUserSetPassword(set), refusal)
  })

  it('signs in with its new password only, and its sessions have ended', async () => {
    const params = { userId: idOf('viewer') }
    const set = (body: { mode: 'login_disallowed' } | { mode: 'password'; value: string }) =>
      w.as('admin').localIdpUserSetPassword({ params, query: acme, body })
    await set(password('another long secret'))
    await expect(w.as('viewer').currentUserView({ query: {} })).rejects.toMatchObject({ status: 401 })
    expect((await signIn('viewer', 'viewer-password')).status).toBe(401)
    expect((await signIn('viewer', 'another long secret')).status).toBe(204)
    await set({ mode: 'login_disallowed' })
    expect((await signIn('viewer', 'another long secret')).status).toBe(401)
  })

  it('an admin who changes the own password stays signed in', async () => {
    const params = { userId: idOf('admin') }
    await w
      .as('admin')
      .localIdpUserSetPassword({ params, query: acme, body: password('another long secret') })
    await w.as('admin').currentUserView({ query: {} })
  })

  it('with a fleet role cannot get a password from a caller without one', async () => {
    const params = { userId: idOf('fleetAdmin') }
    const body = password('another long secret')
    await rejects(() => w.as('admin').localIdpUserSetPassword({ params, query: acme, body }), { status: 403 })
    await w.as('fleetAdmin').localIdpUserSetPassword({ params, query: acme, body })
  })

  it('is deleted with its roles, groups, keys and sessions', async () => {
    const { id } = await create('zoe')
    const siloId = w.ids['acme'] ?? ''
    await inDb(w, async (tx) => {
      await createGroup(w.world, tx, { siloId, displayName: 'team', userIds: [id, idOf('viewer')] })
      const own = {
        resourceId: siloId,
        identityType: 'silo_user',
        identityId: id,
        roleName: 'viewer',
      } as const
      await grant(tx, { resourceType: 'silo', ...own })
    })
    const cookie = (await signIn('zoe', 'correct horse battery')).cookies
      .map((one) => one.split(';')[0])
      .join('; ')
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'
    const body = JSON.stringify({ name: 'mine', description: '', public_key: key })
    expect((await w.raw({ method: 'POST', url: '/v1/me/ssh-keys', headers: { cookie }, body })).status).toBe(
      201,
    )
    await w.as('admin').localIdpUserDelete({ params: { userId: id }, query: acme })
    expect((await w.raw({ url: '/v1/me', headers: { cookie } })).status).toBe(401)
    const left = await inDb(w, async (tx) => [
      await tx.selectFrom('roleAssignment').select('identityId').where('identityId', '=', id).execute(),
      await tx.selectFrom('groupMember').select('userId').where('userId', '=', id).execute(),
      await tx.selectFrom('sshKey').select('id').where('siloUserId', '=', id).execute(),
      await tx.selectFrom('principalWord').select('word').where('principalId', '=', id).execute(),
    ])
    expect(left).toEqual([[], [], [], []])
    await rejects(() => w.as('admin').localIdpUserDelete({ params: { userId: id }, query: acme }), {
      status: 404,
    })
  })

  it('is none of a silo with an identity provider', async () => {
    await inDb(w, (tx) =>
      tx.updateTable('silo').set({ identityMode: 'saml_jit' }).where('name', '=', 'acme').execute(),
    )
    await rejects(() => create('zoe'), {
      status: 404,
      message: 'not found: identity-provider with name "local"',
    })
  })
})

describe('the last sign-in of a user', () => {
  const secret = 'correct horse battery'
  const seen = async (who: Who, id: string) => {
    const { items } = await w.as(who).siloUserList({ query: { ...acme, limit: 100 } })
    return items.find((one) => one.id === id)?.timeLastSignedIn
  }
  const viewed = async (headers: Record<string, string>, id: string) => {
    const { json } = await w.raw({ url: `/v1/users/${id}`, headers })
    return (json as Record<string, unknown>)['time_last_signed_in']
  }
  const enter = async () => {
    const { cookies } = await signIn('zoe', secret)
    return { cookie: cookies.map((one) => one.split(';')[0]).join('; ') }
  }

  it('is kept when the session has ended; a failure and a request are none', async () => {
    const { id } = await create('zoe')
    expect(await seen('admin', id)).toBeUndefined()
    const first = await enter()
    const time = new Date(w.clock.now())
    expect(await seen('admin', id)).toEqual(time)
    await w.advance(60_000)
    expect(await viewed(first, id)).toBe(time.toISOString())
    expect((await signIn('zoe', 'wrong')).status).toBe(401)
    await w.as('admin').userLogout({ params: { userId: id } })
    expect(await seen('admin', id)).toEqual(time)
    await enter()
    expect(await seen('admin', id)).toEqual(new Date(time.getTime() + 60_000))
  })

  it('is seen by the user, administrators of the silo and operators, not by other users', async () => {
    const { id } = await create('zoe')
    await enter()
    for (const who of ['admin', 'fleetAdmin'] as const) expect(await seen(who, id), who).toBeDefined()
    for (const who of ['viewer', 'collaborator', 'noRole'] as const) {
      expect(await seen(who, id), who).toBeUndefined()
      expect(await w.as(who).userView({ params: { userId: id } })).not.toHaveProperty('timeLastSignedIn')
      const { items } = await w.as(who).userList({ query: { limit: 100 } })
      expect(items.filter((one) => one.timeLastSignedIn).map((one) => one.id)).toEqual([idOf(who)])
    }
  })

  it('is an order of users, in pages, for those who see it of all', async () => {
    const { id: never } = await create('zoe')
    const { id: last } = await create('yuri')
    await w.advance(1000)
    await signIn('yuri', secret)
    const order = { sortBy: 'last_sign_in_descending', limit: 1 } as const
    for (const who of ['admin', 'fleetAdmin'] as const) {
      const ids: string[] = []
      let pageToken: string | null | undefined
      do {
        const more = pageToken ? { pageToken } : {}
        const page = await w.as(who).siloUserList({ query: { ...acme, ...order, ...more } })
        ids.push(...page.items.map(({ id }) => id))
        pageToken = page.nextPage
      } while (pageToken)
      const all = await w.as(who).siloUserList({ query: { ...acme, limit: 100 } })
      expect(ids.toSorted()).toEqual(all.items.map(({ id }) => id).toSorted())
      expect(ids[0]).toBe(last)
      const up = { ...acme, sortBy: 'last_sign_in_ascending', limit: 100 } as const
      const { items } = await w.as(who).siloUserList({ query: up })
      expect(items.map(({ id }) => id)).toEqual(ids.toReversed())
      expect(items.find(({ id }) => id === never)).not.toHaveProperty('timeLastSignedIn')
    }
    const own = await w.as('admin').userList({ query: order })
    expect(own.items.map(({ id }) => id)).toEqual([last])
    for (const who of ['viewer', 'collaborator'] as const) {
      await expect(w.as(who).userList({ query: order })).rejects.toMatchObject({ status: 403 })
      await expect(w.as(who).siloUserList({ query: { ...acme, ...order } })).rejects.toMatchObject({
        status: 403,
      })
    }
  })
})

describe('sessions of a user', () => {
  const list = (who: Who, of: Who) => w.as(who).userSessionList({ params: { userId: idOf(of) }, query: {} })
  const end = (who: Who, of: Who) => w.as(who).userLogout({ params: { userId: idOf(of) } })

  it('are seen and ended by the user and by admins of the silo', async () => {
    expect((await list('viewer', 'viewer')).items).toHaveLength(1)
    expect((await list('admin', 'viewer')).items).toHaveLength(1)
    for (const who of ['collaborator', 'noRole', 'fleetAdmin'] as const) {
      await expect(list(who, 'viewer')).rejects.toMatchObject({ status: 403 })
      await expect(end(who, 'viewer')).rejects.toMatchObject({ status: 403 })
    }
    await expect(list('stranger', 'viewer')).rejects.toMatchObject({ status: 404 })
    await end('admin', 'viewer')
    await expect(list('viewer', 'viewer')).rejects.toMatchObject({ status: 401 })
    expect((await list('admin', 'viewer')).items).toEqual([])
  })

  it('show the client that signed in, and end one at a time', async () => {
    const { id: userId } = await create('zoe')
    const from = async (agent?: string) => {
      const headers = agent === undefined ? {} : { 'user-agent': agent }
      const { cookies } = await signIn('zoe', 'correct horse battery', {
        headers,
        remote: '::ffff:192.0.2.7',
      })
      return { cookie: cookies.map((one) => one.split(';')[0]).join('; ') }
    }
    const [phone, laptop] = [await from(`Phone/1\u0000${'x'.repeat(999)}`), await from()]
    const seen = async () => {
      const { json } = await w.raw({ url: `/v1/users/${userId}/sessions`, headers: phone })
      return (json as { items: Record<string, unknown>[] }).items
    }
    const items = await seen()
    expect(items).toHaveLength(2)
    const [own, other] = [items.find(({ current }) => current), items.find(({ current }) => !current)]
    expect(own).toMatchObject({ address: '192.0.2.7' })
    expect(own?.['user_agent']).toMatch(/^Phone\/1 x+$/)
    expect(String(own?.['user_agent']).length).toBe(limits.audit.agent)
    expect(other).toMatchObject({ address: '192.0.2.7', user_agent: null })
    const remove = (who: Who, sessionId: unknown) =>
      w.as(who).userSessionDelete({ params: { userId, sessionId: String(sessionId) } })
    for (const who of ['viewer', 'collaborator', 'fleetAdmin'] as const)
      await rejects(() => remove(who, other?.['id']), { status: 403 })
    await rejects(() => remove('stranger', other?.['id']), { status: 404 })
    const { items: admins } = await list('admin', 'admin')
    await rejects(() => remove('admin', admins[0]?.id), { status: 404 })
    await remove('admin', other?.['id'])
    await rejects(() => remove('admin', other?.['id']), { status: 404 })
    expect((await w.raw({ url: '/v1/me', headers: laptop })).status).toBe(401)
    expect(await seen()).toHaveLength(1)
    const url = `/v1/users/${userId}/sessions/${String(own?.['id'])}`
    expect((await w.raw({ method: 'DELETE', url, headers: phone })).status).toBe(204)
    expect((await w.raw({ url: '/v1/me', headers: phone })).status).toBe(401)
  })

  it('are listed until they expire', async () => {
    await w.plane.loops.stop()
    await w.clock.advance(300 * 60_000)
    expect((await list('admin', 'viewer')).items).toHaveLength(1)
    await w.settle()
    expect((await list('admin', 'viewer')).items).toHaveLength(1)
    await w.clock.advance(200 * 60_000)
    expect((await list('admin', 'viewer')).items).toEqual([])
    expect((await list('admin', 'admin')).items).toHaveLength(1)
  })
})

describe('users and groups', () => {
  it('of a silo are seen by its users and by operators', async () => {
    const list = (who: Who, silo: string) => w.as(who).siloUserList({ query: { silo } })
    expect((await list('noRole', 'acme')).items).toHaveLength(8)
    expect((await list('fleetAdmin', 'other')).items.map((one) => one.displayName)).toEqual(['stranger'])
    await expect(list('admin', 'other')).rejects.toMatchObject({ status: 404 })
    const view = (who: Who, silo: string) =>
      w.as(who).siloUserView({ params: { userId: idOf('stranger') }, query: { silo } })
    expect((await view('fleetAdmin', 'other')).displayName).toBe('stranger')
    await expect(view('fleetAdmin', 'acme')).rejects.toMatchObject({ status: 404 })
  })

  it('are found by the words of their names, in any order and page by page', async () => {
    const siloId = w.ids['acme'] ?? ''
    await inDb(w, async (tx) => {
      for (const displayName of ['Ops Night Shift', 'ops-day-shift', 'Opera'])
        await createGroup(w.world, tx, { siloId, displayName, userIds: [] })
    })
    const groups = async (find: string) =>
      (await w.as('viewer').groupList({ query: { find } })).items.map((one) => one.displayName).toSorted()
    expect(await groups('shift op')).toEqual(['Ops Night Shift', 'ops-day-shift'])
    expect(await groups('OPS n')).toEqual(['Ops Night Shift'])
    expect(await groups('hift')).toEqual([])
    expect(await groups('%')).toEqual([])
    const users = (query: object) =>
      w.as('viewer').userList({ query: { find: 'project', limit: 2, ...query } })
    const first = await users({})
    const second = await users({ pageToken: first.nextPage })
    const names = [...first.items, ...second.items].map((one) => one.displayName)
    expect(names.toSorted()).toEqual(['projectadmin', 'projectcollaborator', 'projectviewer'])
    expect(second.nextPage).toBeNull()
  })

  it('groups are listed for a user of the silo', async () => {
    const siloId = w.ids['acme'] ?? ''
    await inDb(w, async (tx) => {
      for (const displayName of ['ops', 'dev'])
        await createGroup(w.world, tx, {
          siloId,
          displayName,
          userIds: displayName === 'ops' ? [idOf('viewer')] : [],
        })
    })
    const of = (who: Who, user: Who) => w.as(who).groupList({ query: { user: idOf(user) } })
    expect((await of('noRole', 'viewer')).items.map((one) => one.displayName)).toEqual(['ops'])
    expect((await of('noRole', 'admin')).items).toEqual([])
    await expect(of('stranger', 'viewer')).rejects.toMatchObject({ status: 404 })
  })

  it('that the control plane acts as are seen by viewers of the fleet', async () => {
    const client = w.as('fleetAdmin')
    const { items } = await client.userBuiltinList({ query: { limit: 3 } })
    expect(items.map((one) => one.name)).toEqual(['db-init', 'external-authn', 'external-scim'])
    const [one] = items
    expect(await client.userBuiltinView({ params: { user: one?.id ?? '' } })).toEqual(one)
    await expect(client.userBuiltinView({ params: { user: 'root' } })).rejects.toMatchObject({ status: 404 })
    await expect(w.as('admin').userBuiltinView({ params: { user: 'db-init' } })).rejects.toMatchObject({
      status: 404,
    })
    await expect(w.as('admin').userBuiltinList({ query: {} })).rejects.toMatchObject({ status: 403 })
  })
})

describe('the last of 10 001 users', () => {
  it('is found by its name, and on the last page of those whose names begin alike', async () => {
    const siloId = w.ids['acme'] ?? ''
    const times = { passwordHash: null, timeDeactivated: null, timeCreated: 0, timeModified: 0 }
    const rows = Array.from({ length: 10_001 }, (_, i) => {
      const displayName = i === 10_000 ? 'dev' : `dev-${i}`
      return { id: w.world.ids.uuid(), siloId, externalId: displayName, displayName, ...times }
    })
    const last = rows.at(-1)
    await inDb(w, async (tx) => {
      for (const some of batches(rows, 500)) await tx.insertInto('siloUser').values(some).execute()
      await addPrincipalWords(tx, rows)
      // PostgreSQL does this itself within a minute; until then it assumes that the tables are nearly empty.
      await sql`analyze`.execute(tx)
    })
    const named = await w.as('viewer').userList({ query: { find: 'dev 9999', limit: 50 } })
    expect(named.items.map((one) => one.displayName)).toEqual(['dev-9999'])
    const found = new Set<string>()
    let pageToken: string | null | undefined
    do {
      const page = await w
        .as('viewer')
        .userList({ query: { find: 'dev', limit: 1000, ...(pageToken ? { pageToken } : {}) } })
      for (const one of page.items) found.add(one.id)
      pageToken = page.nextPage
    } while (pageToken)
    expect(found.size).toBe(10_001)
    expect(found.has(last?.id ?? '')).toBe(true)
  })
})
