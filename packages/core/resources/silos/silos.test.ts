import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup } from '#/seed/rows.ts'
import { setQuota } from '#/testing/machines.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const members: Who[] = [
  'admin',
  'collaborator',
  'viewer',
  'noRole',
  'projectAdmin',
  'projectCollaborator',
  'projectViewer',
  'fleetAdmin',
]
const GiB = 2 ** 30
const unknown = '7f3a9e2c-0000-4000-8000-000000000000'

let w: TestWorld
let ops = ''
let theirs = ''
beforeAll(async () => {
  w = await openWorld()
  const [acme = '', other = ''] = [w.ids['acme'], w.ids['other']]
  const userIds = [w.ids['admin'] ?? '', w.ids['viewer'] ?? '']
  await w.world.engine.transaction('write', async (tx) => {
    ops = await createGroup(w.world, tx, { siloId: acme, displayName: 'ops', userIds })
    await createGroup(w.world, tx, { siloId: acme, displayName: 'empty', userIds: [] })
    theirs = await createGroup(w.world, tx, {
      siloId: other,
      displayName: 'theirs',
      userIds: [w.ids['stranger'] ?? ''],
    })
  })
})
afterAll(() => w.close())

describe('users and groups of the silo', () => {
  it.each(members)('%s sees them all', async (who) => {
    const { items: users } = await w.as(who).userList({ query: {} })
    expect(users.map((user) => user.id)).toEqual(members.map((name) => w.ids[name] ?? '').toSorted())
    const { items: groups } = await w.as(who).groupList({ query: {} })
    expect(groups.map((group) => group.displayName).toSorted()).toEqual(['empty', 'ops'])
    const view = {
      id: w.ids['viewer'],
      displayName: 'viewer',
      siloId: w.ids['acme'],
      // For the user and for administrators.
      ...(['viewer', 'admin', 'fleetAdmin'].includes(who) && { timeLastSignedIn: expect.any(Date) }),
    }
    expect(await w.as(who).userView({ params: { userId: w.ids['viewer'] ?? '' } })).toEqual(view)
    const group = { id: ops, displayName: 'ops', siloId: w.ids['acme'] }
    expect(await w.as(who).groupView({ params: { groupId: ops.toUpperCase() } })).toEqual(group)
  })

  it('those of another silo do not exist', async () => {
    const userId = w.ids['stranger'] ?? ''
    const noUser = { status: 404, message: `not found: silo-user with id "${userId}"` }
    await expect(w.as('admin').userView({ params: { userId } })).rejects.toMatchObject(noUser)
    const noGroup = { status: 404, message: `not found: silo-group with id "${theirs}"` }
    await expect(w.as('fleetAdmin').groupView({ params: { groupId: theirs } })).rejects.toMatchObject(noGroup)
    await expect(w.as('admin').userList({ query: { group: theirs } })).rejects.toMatchObject(noGroup)
    await expect(w.as('stranger').groupView({ params: { groupId: ops } })).rejects.toMatchObject({
      status: 404,
    })
    expect((await w.as('stranger').userList({ query: {} })).items.map((user) => user.displayName)).toEqual([
      'stranger',
    ])
    expect((await w.as('stranger').groupList({ query: {} })).items.map((group) => group.displayName)).toEqual(
      ['theirs'],
    )
  })

  it('unknown ids are not found', async () => {
    await expect(w.as('admin').userView({ params: { userId: unknown } })).rejects.toMatchObject({
      status: 404,
    })
    await expect(w.as('admin').groupView({ params: { groupId: unknown } })).rejects.toMatchObject({
      status: 404,
    })
    await expect(w.as('admin').userList({ query: { group: unknown } })).rejects.toMatchObject({ status: 404 })
    await expect(w.as('admin').userView({ params: { userId: 'viewer' } })).rejects.toMatchObject({
      status: 400,
    })
  })

  it('users can be listed by group, page by page', async () => {
    const wanted = [w.ids['admin'] ?? '', w.ids['viewer'] ?? ''].toSorted()
    const first = await w.as('noRole').userList({ query: { group: ops, limit: 1 } })
    expect(first.items.map((user) => user.id)).toEqual(wanted.slice(0, 1))
    // The token includes the group.
    const second = await w.as('noRole').userList({ query: { limit: 1, pageToken: first.nextPage ?? '' } })
    expect(second.items.map((user) => user.id)).toEqual(wanted.slice(1))
    expect(second.nextPage).toBeNull()
  })

  it.each(['ascending', 'descending'])('users are listed by display name, %s, page by page', async (way) => {
    const sortBy = `name_${way}`
    const wanted = members.map((name) => name.toLowerCase()).toSorted()
    const first = await w.as('noRole').userList({ query: { sortBy, limit: 2 } })
    const rest = await w.as('noRole').userList({ query: { sortBy, pageToken: first.nextPage ?? '' } })
    const found = [...first.items, ...rest.items].map(({ displayName }) => displayName)
    expect(found).toEqual(way === 'ascending' ? wanted : wanted.toReversed())
  })

  it('without a session: 401', async () => {
    for (const url of [
      '/v1/users',
      `/v1/users/${unknown}`,
      '/v1/groups',
      `/v1/groups/${unknown}`,
      '/v1/utilization',
    ])
      expect((await w.raw({ url })).status).toBe(401)
  })
})

describe('utilization of the silo', () => {
  it.each(members)('%s sees use and quota', async (who) => {
    const quota = { cpus: 1024, memory: 8 * 1024 * GiB, storage: 512 * 1024 * GiB }
    expect(await w.as(who).utilizationView({ query: {} })).toEqual({
      provisioned: { cpus: 0, memory: 0, storage: 0 },
      capacity: quota,
      // Four sleds of 128 threads, 800 GiB and ten disks of 3,200 GB.
      placeable: { cpus: 512, memory: 3200 * GiB, storage: 128e12 },
      largest: { cpus: 128, memory: 800 * GiB },
    })
  })

  it('says how many instances of a size still fit, by the hardware and by the quota', async () => {
    const fits = async (ncpus: number, memory: number) =>
      (await w.as('viewer').utilizationView({ query: { ncpus, memory } })).fits
    // Four sleds of 128 threads and 800 GiB: none has room for two of the first size.
    expect(await fits(65, 8 * GiB)).toBe(4)
    expect(await fits(2, 400 * GiB)).toBe(8)
    expect(await fits(129, GiB)).toBe(0)
    await setQuota(w, { quotaCpus: 130 })
    expect(await fits(65, 8 * GiB)).toBe(2)
    await setQuota(w, { quotaCpus: 1024 })
    expect(await w.as('viewer').utilizationView({ query: { ncpus: 0, memory: GiB } })).not.toHaveProperty(
      'fits',
    )
    expect(await w.as('viewer').utilizationView({ query: { ncpus: 2 } })).not.toHaveProperty('fits')
  })

  it('says no more than the quota leaves about the hardware', async () => {
    await setQuota(w, { quotaCpus: 10 })
    expect(
      await w.as('fleetAdmin').siloUtilizationView({ params: { silo: 'acme' }, query: {} }),
    ).toMatchObject({
      placeable: { cpus: 10, memory: 3200 * GiB },
      largest: { cpus: 10, memory: 800 * GiB },
    })
    expect(await w.as('viewer').utilizationView({ query: {} })).toMatchObject({
      placeable: { cpus: 10, memory: 3200 * GiB },
      largest: { cpus: 10, memory: 800 * GiB },
    })
    await setQuota(w, { quotaCpus: 1024 })
  })

  it('counts resources of this silo and of no other', async () => {
    const body = {
      name: 'data',
      description: '',
      size: 3 * GiB,
      diskSource: { type: 'blank' as const, blockSize: 512 as const },
    }
    await w.as('projectCollaborator').diskCreate({ query: { project: 'demo' }, body })
    expect((await w.as('noRole').utilizationView({ query: {} })).provisioned).toEqual({
      cpus: 0,
      memory: 0,
      storage: 3 * GiB,
    })
    expect((await w.as('stranger').utilizationView({ query: {} })).provisioned).toEqual({
      cpus: 0,
      memory: 0,
      storage: 0,
    })
  })
})
