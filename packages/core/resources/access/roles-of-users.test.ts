import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { unmanagedUser } from '#/db/rows/principals.ts'
import { createGroup, grant } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

type Query = Parameters<ReturnType<TestWorld['as']>['userList']>[0]['query']
type Found = { items: { id: string }[]; nextPage?: string | null | undefined }
const strengths = ['admin', 'collaborator', 'viewer', 'none'] as const
const siloIn = { silo: 'acme' }

/** The two lists of the users of a silo: that of its users, and that of the system. */
const lists: Record<string, (query: Query, who?: Who) => Promise<Found>> = {
  own: (query, who = 'viewer') => w.as(who).userList({ query }),
  system: (query, who = 'fleetAdmin') => w.as(who).siloUserList({ query: { ...siloIn, ...query } }),
}
const names = Object.keys(lists)
const listOf = (name: string) => lists[name] ?? lists['own']!

async function everyId(list: (query: Query) => Promise<Found>, query: Query): Promise<string[]> {
  const ids: string[] = []
  let pageToken: string | null | undefined
  do {
    const page = await list({ ...query, ...(pageToken ? { pageToken } : {}) })
    ids.push(...page.items.map(({ id }) => id))
    pageToken = page.nextPage
  } while (pageToken)
  return ids
}

/** The role that the policy of the silo gives to each user, as its column shows it. */
async function assigned(): Promise<(id: string) => (typeof strengths)[number]> {
  const { roleAssignments } = await w.as('viewer').policyView({})
  return (id) =>
    strengths.find((role) =>
      roleAssignments.some(({ identityId, roleName }) => identityId === id && roleName === role),
    ) ?? 'none'
}

it.each(names)('the list %s is ordered by the strength of roles, page by page', async (name) => {
  const list = listOf(name)
  const all = await everyId(list, {})
  const roleOf = await assigned()
  const rankOf = (id: string) => strengths.indexOf(roleOf(id))
  for (const limit of [1, 2, 100]) {
    const ids = await everyId(list, { sortBy: 'role_ascending', limit })
    expect(ids.toSorted()).toEqual(all.toSorted())
    expect(ids.map(rankOf)).toEqual(ids.map(rankOf).toSorted((a, b) => a - b))
    expect(await everyId(list, { sortBy: 'role_descending', limit })).toEqual(ids.toReversed())
  }
  expect(new Set(all.map(roleOf))).toEqual(new Set(strengths))
})

it.each(names)('the list %s is restricted to roles, and counts them', async (name) => {
  const list = listOf(name)
  const all = await everyId(list, {})
  const roleOf = await assigned()
  const idsWith = (...roles: string[]) => all.filter((id) => roles.includes(roleOf(id))).toSorted()
  for (const role of strengths)
    expect(await everyId(list, { filter: [`role:${role}`], limit: 1 })).toEqual(idsWith(role))
  expect(await everyId(list, { filter: ['role:admin', 'role:viewer'] })).toEqual(idsWith('admin', 'viewer'))
  expect(await everyId(list, { filter: ['-role:none'], sortBy: 'id_ascending' })).toEqual(
    idsWith('admin', 'collaborator', 'viewer'),
  )
  expect(await list({ total: true })).toMatchObject({
    totalItems: all.length,
    totals: { role: Object.fromEntries(strengths.map((role) => [role, idsWith(role).length])) },
  })
  expect(await list({ filter: ['role:admin'], find: 'admin', total: true })).toMatchObject({
    items: [{ id: w.ids['admin'] }],
    totalItems: 1,
  })
  await expect(list({ filter: ['role:owner'] })).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/role is one of admin, collaborator, viewer, none/),
  })
})

it('counts the role that is given to the user itself on the silo until it expires, not one through a group or elsewhere', async () => {
  const user = w.ids['noRole'] ?? ''
  const hour = 3_600_000
  const siloId = w.ids['acme'] ?? ''
  await inDb(w, async (tx) => {
    const identityId = await createGroup(w.world, tx, { siloId, displayName: 'ops', userIds: [user] })
    const toGroup = { identityType: 'silo_group', identityId, roleName: 'admin' } as const
    await grant(tx, { resourceType: 'silo', resourceId: siloId, ...toGroup })
  })
  const list = listOf('own')
  const hasRole = async (role: string) => (await everyId(list, { filter: [`role:${role}`] })).includes(user)
  expect(await hasRole('none')).toBe(true)
  const { roleAssignments } = await w.as('admin').policyView({})
  const of = { identityType: 'silo_user', identityId: user } as const
  const until = new Date(w.clock.now() + hour)
  await w.as('admin').policyUpdate({
    body: {
      roleAssignments: [
        ...roleAssignments,
        { ...of, roleName: 'viewer' },
        { ...of, roleName: 'collaborator', timeExpires: until },
      ],
    },
  })
  expect(await hasRole('collaborator')).toBe(true)
  expect(await hasRole('viewer')).toBe(false)
  await w.advance(hour)
  expect(await hasRole('viewer')).toBe(true)
})

it('is an order of a list of many users, whose pages go on where the last one ended', async () => {
  const siloId = w.ids['acme'] ?? ''
  const times = { timeCreated: 0, timeModified: 0 }
  await inDb(w, async (tx) => {
    const rows = Array.from({ length: 1500 }, (_, i) => ({
      id: w.world.ids.uuid(),
      siloId,
      externalId: `many-${i}`,
      displayName: `many-${i}`,
      passwordHash: null,
      ...unmanagedUser,
      ...times,
    }))
    for (let i = 0; i < rows.length; i += 500)
      await tx
        .insertInto('siloUser')
        .values(rows.slice(i, i + 500))
        .execute()
  })
  const { count } = await inDb(w, (tx) =>
    tx
      .selectFrom('siloUser')
      .select(sql<number | string>`count(*)`.as('count'))
      .where('siloId', '=', siloId)
      .executeTakeFirstOrThrow(),
  )
  const ids = await everyId(listOf('own'), { sortBy: 'role_ascending', limit: 400 })
  expect(new Set(ids).size).toBe(Number(count))
  const roleOf = await assigned()
  expect(ids.slice(0, 2).map(roleOf)).toContain('admin')
  // The filter is tested on the rows, also beyond those that a request looks at first.
  const admins = await everyId(listOf('own'), { filter: ['role:admin'] })
  expect(admins.every((id) => roleOf(id) === 'admin')).toBe(true)
  expect(admins.length).toBeGreaterThan(0)
})

it('users who do not see when others sign in cannot restrict a list by it', async () => {
  for (const name of names)
    for (const filter of ['last_sign_in:<1d', '-last_sign_in:<1d'])
      await expect(listOf(name)({ filter: [filter] }, 'viewer')).rejects.toMatchObject({ status: 403 })
  expect(await listOf('own')({ filter: ['last_sign_in:<1d'] }, 'admin')).toHaveProperty('items')
})
