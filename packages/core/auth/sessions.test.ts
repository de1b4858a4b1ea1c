import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUser, grant } from '#/seed/rows.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { sessionsOf } from './sessions.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  await w.close()
})

const minute = 60_000
const idle = 480 * minute
const absolute = 1440 * minute
const unauthorized = {
  status: 401,
  json: { error_code: 'Unauthorized', message: 'credentials missing or invalid' },
}

const tokenFor = async (name: string, roles: Parameters<typeof grant>[1][] = []) => {
  const id = await inDb(w, (tx) =>
    createUser(w.world, tx, { siloId: w.ids['acme'] ?? '', name, passwordHash: null }),
  )
  for (const role of roles) await inDb(w, (tx) => grant(tx, { ...role, identityId: id }))
  return { id, token: await inDb(w, (tx) => sessionsOf(w.world).start(tx, id)) }
}
const me = (headers: Record<string, string>) => w.raw({ url: '/v1/me', headers })
const withCookie = (token: string) => me({ cookie: `session=${token}` })
const rows = () => inDb(w, (tx) => tx.selectFrom('session').selectAll().execute())
const rowsOf = async (id: string) => (await rows()).filter((row) => row.siloUserId === id)

describe('the cookie', () => {
  it('among others, with spaces, in any place', async () => {
    const { token } = await tokenFor('ann')
    for (const cookie of [
      `session=${token}`,
      `a=1; session=${token}; b=2`,
      `a=1;session=${token}`,
      ` session=${token} `,
    ])
      expect((await me({ cookie })).status).toBe(200)
  })

  it.each(['session=', 'session', `session=${'0'.repeat(40)}`, 'session=; session=x', 'session=" "'])(
    '%s: 401',
    async (cookie) => {
      expect(await me({ cookie })).toMatchObject(unauthorized)
    },
  )

  it('with the header of another user is refused before anything is done, and with the own one it is not', async () => {
    const { id, token } = await tokenFor('ann')
    const { id: other } = await tokenFor('bob')
    const cookie = `session=${token}`
    expect((await me({ cookie, 'purlin-user': id })).status).toBe(200)
    const refused = { status: 409, json: { error_code: 'OtherUser', message: 'another user has signed in' } }
    expect(await me({ cookie, 'purlin-user': other })).toMatchObject(refused)
    const logout = { method: 'POST', url: '/v1/logout', headers: { cookie, 'purlin-user': other } }
    expect(await w.raw(logout)).toMatchObject(refused)
    expect((await me({ cookie })).status).toBe(200)
    expect(await me({ 'purlin-user': other })).toMatchObject(unauthorized)
  })

  it('of another name does not count', async () => {
    const { token } = await tokenFor('ann')
    for (const name of ['Session', 'xsession', 'session2'])
      expect((await me({ cookie: `${name}=${token}` })).status).toBe(401)
  })

  it('has 40 hex characters, and only their fingerprint is stored', async () => {
    const { token } = await tokenFor('ann')
    expect(token).toMatch(/^[0-9a-f]{40}$/)
    expect(JSON.stringify(await rows())).not.toContain(token)
  })
})

describe('bearer tokens', () => {
  it.each([
    ['Bearer', 'malformed bearer token'],
    ['Bearer a b', 'malformed bearer token'],
    ['Basic dXNlcjpwdw==', 'unknown authentication scheme'],
    ['', 'unknown authentication scheme'],
  ])('%s: 400', async (authorization, reason) => {
    const { status, json } = await me({ authorization })
    expect(status).toBe(400)
    expect(json).toEqual({
      request_id: expect.any(String) as string,
      message: `bad authentication credentials: ${reason}`,
    })
  })

  it.each(['Bearer unknown-0123', 'bearer x', 'BEARER  x '])(
    '%s is of no kind that we know: 401',
    async (authorization) => {
      expect(await me({ authorization })).toMatchObject({
        ...unauthorized,
        headers: { 'www-authenticate': 'Bearer' },
      })
    },
  )

  it('the first credential that is present decides: a stale cookie ends the request', async () => {
    const { token } = await tokenFor('ann')
    expect((await me({ cookie: 'session=stale', authorization: 'Bearer other' })).status).toBe(401)
    expect((await me({ cookie: `session=${token}`, authorization: 'Basic nonsense' })).status).toBe(200)
  })

  it('401 is the same whether the resource exists or not', async () => {
    const [one, two] = [await w.raw({ url: '/v1/projects/demo' }), await w.raw({ url: '/v1/projects/nope' })]
    expect(one).toMatchObject(unauthorized)
    expect({ ...(one.json as object), request_id: '' }).toEqual({ ...(two.json as object), request_id: '' })
  })
})

describe('a session ends', () => {
  it('480 minutes after its last use', async () => {
    const { id, token } = await tokenFor('ann')
    await w.jump(idle)
    expect((await withCookie(token)).status).toBe(200)
    await w.jump(idle + 1)
    expect(await withCookie(token)).toMatchObject(unauthorized)
    expect(await rowsOf(id)).toEqual([])
  })

  it('each use restarts the idle time, up to 1440 minutes in total', async () => {
    const { id, token } = await tokenFor('ann')
    const start = w.clock.now()
    while (w.clock.now() + 400 * minute <= start + absolute) {
      await w.jump(400 * minute)
      expect((await withCookie(token)).status).toBe(200)
      await w.settle()
    }
    await w.jump(start + absolute - w.clock.now())
    expect((await withCookie(token)).status).toBe(200)
    await w.advance(1)
    expect(await withCookie(token)).toMatchObject(unauthorized)
    expect(await rowsOf(id)).toEqual([])
  })

  it('an unused one too: its row is deleted', async () => {
    const { id } = await tokenFor('ann')
    await w.jump(idle + 11 * minute)
    expect(await rowsOf(id)).toEqual([])
  })

  it('the time of last use is not written with every request, but at least every minute', async () => {
    const { id, token } = await tokenFor('ann')
    const start = w.clock.now()
    await w.advance(59_000)
    await withCookie(token)
    await w.settle()
    expect((await rowsOf(id))[0]?.timeLastUsed).toBe(start)
    await w.advance(2000)
    await withCookie(token)
    await w.settle()
    expect((await rowsOf(id))[0]?.timeLastUsed).toBe(start + 61_000)
  })

  it('a session in use continues even if only one minute is allowed', async () => {
    const { token, id } = await tokenFor('ann')
    const brief = sessionsOf({ ...w.world, sessions: { idleMs: minute, absoluteMs: absolute } })
    for (let seconds = 0; seconds < 300; seconds += 5) {
      await w.advance(5000)
      await brief.authenticate(token)
      await w.settle()
      expect(w.clock.now() - ((await rowsOf(id))[0]?.timeLastUsed ?? 0)).toBeLessThanOrEqual(minute / 10)
    }
    await w.advance(minute - 6000)
    await brief.authenticate(token)
    await w.advance(minute + 1)
    await expect(brief.authenticate(token)).rejects.toMatchObject({ status: 401 })
  })

  it('many concurrent requests store its use once', async () => {
    const { token } = await tokenFor('ann')
    await w.advance(2 * minute)
    let writes = 0
    const transaction: typeof w.world.engine.transaction = (mode, work, reads) => {
      if (mode === 'write') writes++
      return w.world.engine.transaction(mode, work, reads)
    }
    // As on a database that other servers write: nothing is cached.
    const { changes: _none, ...engine } = { ...w.world.engine, transaction }
    const uncached = sessionsOf({ ...w.world, engine })
    await Promise.all(Array.from({ length: 20 }, () => uncached.authenticate(token)))
    expect(writes).toBe(1)
  })

  it('with sign-out, immediately, and only that one', async () => {
    const { id, token } = await tokenFor('ann')
    const other = await inDb(w, (tx) => sessionsOf(w.world).start(tx, id))
    await withCookie(token)
    expect(
      (await w.raw({ method: 'POST', url: '/v1/logout', headers: { cookie: `session=${token}` } })).status,
    ).toBe(204)
    expect(await withCookie(token)).toMatchObject(unauthorized)
    expect((await withCookie(other)).status).toBe(200)
  })

  it('with its row, immediately, although it was just used', async () => {
    const { id, token } = await tokenFor('ann')
    expect((await withCookie(token)).status).toBe(200)
    await inDb(w, (tx) => tx.deleteFrom('session').where('siloUserId', '=', id).execute())
    expect(await withCookie(token)).toMatchObject(unauthorized)
  })
})

describe('a changed role applies to the next request', () => {
  const project = () => ({
    resourceType: 'project' as const,
    resourceId: w.ids['demo'] ?? '',
    identityType: 'silo_user' as const,
    identityId: '',
    roleName: 'viewer' as const,
  })
  const show = (token: string) => w.raw({ url: '/v1/projects/demo', headers: { cookie: `session=${token}` } })

  it('a role that is given, and one that is taken', async () => {
    const { id, token } = await tokenFor('ann')
    expect((await show(token)).status).toBe(404)
    await inDb(w, (tx) => grant(tx, { ...project(), identityId: id }))
    expect((await show(token)).status).toBe(200)
    await inDb(w, (tx) => tx.deleteFrom('roleAssignment').where('identityId', '=', id).execute())
    expect((await show(token)).status).toBe(404)
  })

  it('through a group, too', async () => {
    const { id, token } = await tokenFor('ann')
    const groupId = w.world.ids.uuid()
    await inDb(w, async (tx) => {
      const now = w.clock.now()
      await tx
        .insertInto('siloGroup')
        .values({
          id: groupId,
          siloId: w.ids['acme'] ?? '',
          displayName: 'team',
          timeCreated: now,
          timeModified: now,
        })
        .execute()
      await grant(tx, { ...project(), identityType: 'silo_group', identityId: groupId })
    })
    expect((await show(token)).status).toBe(404)
    await inDb(w, (tx) => tx.insertInto('groupMember').values({ groupId, userId: id }).execute())
    expect((await show(token)).status).toBe(200)
    await inDb(w, (tx) => tx.deleteFrom('groupMember').execute())
    expect((await show(token)).status).toBe(404)
  })

  it('the strongest of several roles counts', async () => {
    const { token } = await tokenFor('ann', [project(), { ...project(), roleName: 'collaborator' }])
    const made = await w.raw({
      method: 'POST',
      url: '/v1/instances?project=demo',
      headers: { cookie: `session=${token}` },
      body: JSON.stringify({
        name: 'vm',
        description: '',
        ncpus: 1,
        memory: 2 ** 30,
        hostname: 'vm',
        start: false,
      }),
    })
    expect(made.status).toBe(201)
  })

  it('silo roles confer fleet roles as the silo maps them', async () => {
    const { token } = await tokenFor('ann', [
      {
        resourceType: 'silo',
        resourceId: w.ids['acme'] ?? '',
        identityType: 'silo_user',
        identityId: '',
        roleName: 'admin',
      },
    ])
    const viewer = async () => ((await withCookie(token)).json as { fleet_viewer: boolean }).fleet_viewer
    expect(await viewer()).toBe(false)
    await inDb(w, (tx) =>
      tx
        .updateTable('silo')
        .set({ mappedFleetRolesJson: '{"collaborator":["viewer"]}' })
        .where('name', '=', 'acme')
        .execute(),
    )
    expect(await viewer()).toBe(true)
  })

  it('roles on the fleet count for the fleet only', async () => {
    const { token } = await tokenFor('ann', [
      {
        resourceType: 'fleet',
        resourceId: fleetId,
        identityType: 'silo_user',
        identityId: '',
        roleName: 'admin',
      },
    ])
    expect((await withCookie(token)).json).toMatchObject({ fleet_viewer: true, silo_admin: true })
    expect((await show(token)).status).toBe(404)
  })
})

describe('requests at the same time', () => {
  it('are each answered for their own user, and no other is let in', async () => {
    const people: Awaited<ReturnType<typeof tokenFor>>[] = []
    for (let i = 0; i < 9; i++) people.push(await tokenFor(`person-${i}`))
    const all = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const person = people[i % 10]
        return { person, answer: await withCookie(person?.token ?? 'f'.repeat(40)) }
      }),
    )
    for (const { person, answer } of all)
      if (person) expect(answer).toMatchObject({ status: 200, json: { id: person.id } })
      else expect(answer).toMatchObject(unauthorized)
  })

  it('a session that has ended is refused for every later request, even during a running read', async () => {
    const { token } = await tokenFor('ann')
    const underWay = Array.from({ length: 5 }, () => withCookie(token))
    await sessionsOf(w.world).end(token)
    const later = await Promise.all(Array.from({ length: 5 }, () => withCookie(token)))
    for (const answer of later) expect(answer).toMatchObject(unauthorized)
    await Promise.all(underWay)
  })
})
