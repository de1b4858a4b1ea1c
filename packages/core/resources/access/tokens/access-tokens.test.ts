import { accessTokensOfUser } from '@purlin/contract/rules/counts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beforeNextWrite } from '#/testing/access/before-write.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
})
// Each test begins without tokens.
beforeEach(async () => {
  await inDb(w, (tx) => tx.deleteFrom('accessToken').execute())
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
})
afterAll(() => w.close())

const rejects = rejectsIn(() => w)
const minute = 60_000
const path = '/v1/me/access-tokens'
const make = (name = 'laptop', ttlSeconds?: number | null, who: Who = 'viewer') =>
  w.as(who).currentUserAccessTokenCreate({
    body: { name, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) },
  })
const list = async (who: Who = 'viewer') => (await w.as(who).currentUserAccessTokenList({ query: {} })).items
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const statusOf = async (token: string) => (await w.raw({ url: '/v1/me', headers: bearer(token) })).status
const setMost = (deviceTokenMaxTtlSeconds: number | null) =>
  w.as('admin').authSettingsUpdate({ body: { deviceTokenMaxTtlSeconds } })

describe('an access token that a person makes', () => {
  it('has a name, acts as its user, and shows its last use, which is stored once a minute', async () => {
    const { token, ...made } = await make('laptop', 3600)
    expect(token).toMatch(/^purlin-token-[0-9a-f]{40}$/)
    const now = w.clock.now()
    const expected = {
      id: made.id,
      name: 'laptop',
      timeCreated: new Date(now),
      timeExpires: new Date(now + 3600_000),
      timeLastUsed: null,
    }
    expect(made).toEqual(expected)
    expect(await list()).toEqual([expected])
    const used = async () => {
      expect(await statusOf(token)).toBe(200)
      await w.settle()
      return (await list())[0]?.timeLastUsed?.getTime()
    }
    expect(await used()).toBe(now)
    await w.advance(minute / 2)
    expect(await used()).toBe(now)
    await w.advance(minute)
    expect(await used()).toBe(now + 1.5 * minute)
    const params = { userId: w.ids['viewer'] ?? '' }
    expect((await w.as('admin').userTokenList({ params, query: {} })).items[0]?.name).toBe('laptop')
  })

  it('is made by a user of any role, and by none without a session', async () => {
    for (const who of ['noRole', 'admin', 'fleetAdmin', 'stranger'] as const) {
      await make('own', 60, who)
      expect((await list(who)).map(({ name }) => name)).toEqual(['own'])
    }
    await rejects(() => w.anonymous.currentUserAccessTokenCreate({ body: { name: 'none' } }), { status: 401 })
    const { token } = await make('first')
    const body = JSON.stringify({ name: 'second', ttl_seconds: 1 })
    const headers = { ...bearer(token), 'content-type': 'application/json' }
    expect((await w.raw({ method: 'POST', url: path, headers, body })).status).toBe(403)
    expect((await list()).map(({ name }) => name)).toEqual(['first'])
  })

  it('lasts as long as asked for, and no longer than the silo allows', async () => {
    const lifeOf = async (...asked: Parameters<typeof make>) => {
      const { timeExpires } = await make(...asked)
      return timeExpires && (timeExpires.getTime() - w.clock.now()) / 1000
    }
    expect(await lifeOf('endless')).toBeNull()
    expect(await lifeOf('null', null)).toBeNull()
    await setMost(3600)
    expect(await lifeOf('most')).toBe(3600)
    expect(await lifeOf('equal', 3600)).toBe(3600)
    await rejects(() => make('longer', 3601), {
      status: 400,
      message: 'Requested TTL 3601 seconds exceeds maximum allowed TTL for this silo of 3600 seconds',
    })
    await setMost(null)
  })

  it.each([
    { name: 'Not A Name' },
    { name: '' },
    { name: 'x'.repeat(64) },
    { ttl_seconds: 60 },
    { name: 'a', ttl_seconds: 0 },
    { name: 'a', ttl_seconds: 2 ** 32 },
  ])('is not made from %j', async (body) => {
    const sent = await w.raw({ method: 'POST', url: path, who: 'viewer', body: JSON.stringify(body) })
    expect(sent.status).toBe(400)
  })

  it('has a name that no other valid one of its user has, even if made at the same time', async () => {
    const made = await Promise.allSettled([make('one', 60), make('one', 60), make('one', 60)])
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await rejects(() => make('one'), { status: 400, code: 'ObjectAlreadyExists' })
    await make('one', 60, 'admin')
    await w.advance(minute)
    expect(await list()).toEqual([])
    await make('one')
  })

  it('is one of as many as there may be', async () => {
    const tokens = Array.from({ length: accessTokensOfUser - 1 }, (_, i) => ({
      id: w.world.ids.uuid(),
      tokenHash: `t${i}`,
      siloUserId: w.ids['viewer'] ?? '',
      timeCreated: w.clock.now(),
      timeExpires: null,
    }))
    await inDb(w, (tx) => tx.insertInto('accessToken').values(tokens).execute())
    const made = await Promise.allSettled([make('a'), make('b')])
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await rejects(() => make('c'), { status: 507, code: 'InsufficientCapacity' })
  })

  it('is refused when it is revoked, or its user deactivated', async () => {
    const { token, id } = await make('own', 60, 'collaborator')
    await w.as('collaborator').currentUserAccessTokenDelete({ params: { tokenId: id } })
    expect(await statusOf(token)).toBe(401)
    const other = await make('own', 60, 'collaborator')
    const user = { params: { userId: w.ids['collaborator'] ?? '' }, query: { silo: 'acme' } }
    await w.as('admin').localIdpUserDeactivate(user)
    expect(await statusOf(other.token)).toBe(401)
    await rejects(() => make('own', 60, 'collaborator'), { status: 401 })
    await w.as('admin').localIdpUserActivate(user)
    expect(await statusOf(other.token)).toBe(401)
  })

  it('has a session when it is made, though that ended after the request began', async () => {
    await w.as('projectViewer').currentUserView({ query: {} })
    await w.settle()
    // The session has been read by then.
    beforeNextWrite(w.world.engine, () => w.as('projectViewer').logout())
    await expect(make('late', 60, 'projectViewer')).rejects.toMatchObject({ status: 401 })
    const rows = await inDb(w, (tx) => tx.selectFrom('accessToken').select('id').execute())
    expect(rows).toEqual([])
  })

  it('is in the audit log without its secret, and stored as a fingerprint', async () => {
    const { token, id } = await make('audited', 60)
    const range = { startTime: new Date(0), endTime: new Date(w.clock.now() + minute) }
    const { items } = await w.as('admin').siloAuditLogList({ query: { ...range, object: id } })
    expect(items.map(({ operationId, actorName }) => [operationId, actorName])).toEqual([
      ['current_user_access_token_create', 'viewer'],
    ])
    const rows = await inDb(w, (tx) => tx.selectFrom('accessToken').selectAll().execute())
    expect(JSON.stringify([items, rows])).not.toContain(token.slice(-40))
  })
})
