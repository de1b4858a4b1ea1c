import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fleetId } from '#/db/rows/fleet.ts'
import { grant } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { answers, fleetOnly } from '#/testing/roles.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const operator = () => world.as('fleetAdmin')
const named = (name: string, description = '') => ({ name, description })
const create = (name: string) => operator().ipPoolCreate({ body: named(name, `about ${name}`) })
const of = (pool: string) => ({ params: { pool } })
const service = 'control-plane-v4'
const notFound = (name: string) => ({ status: 404, message: `not found: ip-pool with name "${name}"` })

async function asFleet(role: 'viewer' | 'collaborator') {
  await inDb(world, (tx) =>
    grant(tx, {
      resourceType: 'fleet',
      resourceId: fleetId,
      identityType: 'silo_user',
      identityId: world.ids['noRole'] ?? '',
      roleName: role,
    }),
  )
  return world.as('noRole')
}

describe('a pool', () => {
  it('is made empty, of version 4 unless said otherwise', async () => {
    const pool = await create('office')
    expect(pool).toMatchObject({ name: 'office', description: 'about office', ipVersion: 'v4' })
    expect(await operator().ipPoolView(of('office'))).toEqual(pool)
    expect(await operator().ipPoolView(of(pool.id.toUpperCase()))).toEqual(pool)
    expect((await operator().ipPoolRangeList({ ...of('office'), query: {} })).items).toEqual([])
    expect((await operator().ipPoolSiloList({ ...of('office'), query: {} })).items).toEqual([])
    expect(await operator().ipPoolUtilizationView(of('office'))).toEqual({ remaining: 0, capacity: 0 })
  })

  it('of version 6 is refused', async () => {
    const attempt = operator().ipPoolCreate({ body: { ...named('six'), ipVersion: 'v6' } })
    await expect(attempt).rejects.toMatchObject({ status: 400, message: 'IPv6 pools are not yet supported' })
  })

  it('has a unique name in the fleet, also compared with the control plane’s pool', async () => {
    for (const name of ['public', service]) {
      const taken = { status: 400, code: 'ObjectAlreadyExists', message: `already exists: ip-pool "${name}"` }
      await expect(create(name)).rejects.toMatchObject(taken)
    }
    await create('office')
    const attempt = operator().ipPoolUpdate({ ...of('office'), body: { name: 'public' } })
    await expect(attempt).rejects.toMatchObject({ code: 'ObjectAlreadyExists' })
  })

  it('is renamed, and keeps what an update leaves out', async () => {
    await create('office')
    await world.advance(1000)
    const renamed = await operator().ipPoolUpdate({ ...of('office'), body: { name: 'desk' } })
    expect(renamed).toMatchObject({ name: 'desk', description: 'about office' })
    expect(renamed.timeModified.getTime()).toBe(renamed.timeCreated.getTime() + 1000)
    await expect(operator().ipPoolView(of('office'))).rejects.toMatchObject(notFound('office'))
  })

  it('is not changed by a request that has read an older state', async () => {
    await create('office')
    const url = '/v1/system/ip-pools/office'
    const { etag } = (await world.raw({ url, who: 'fleetAdmin' })).headers
    const put = (description: string) =>
      world.raw({
        method: 'PUT',
        url,
        who: 'fleetAdmin',
        headers: { 'if-match': String(etag) },
        body: JSON.stringify({ description }),
      })
    expect([(await put('one')).status, (await put('two')).status]).toEqual([200, 412])
  })

  it('is deleted only without ranges, with its links', async () => {
    const range = { first: '10.40.0.1', last: '10.40.0.9' }
    await create('office')
    await operator().ipPoolRangeAdd({ ...of('office'), body: range })
    await operator().ipPoolSiloLink({ ...of('office'), body: { silo: 'acme', isDefault: false } })
    await expect(operator().ipPoolDelete({ ...of('office'), query: {} })).rejects.toMatchObject({
      status: 400,
      message: 'IP Pool cannot be deleted while it contains IP ranges',
    })
    await operator().ipPoolRangeRemove({ ...of('office'), body: range })
    await operator().ipPoolDelete({ ...of('office'), query: {} })
    await expect(operator().ipPoolView(of('office'))).rejects.toMatchObject(notFound('office'))
    expect((await world.as('viewer').projectIpPoolList({ query: {} })).items).toHaveLength(1)
    expect(await inDb(world, (tx) => tx.selectFrom('ipPoolSilo').select('siloId').execute())).toHaveLength(1)
  })

  it('that is deleted is detached from the gateways of its silos', async () => {
    await create('office')
    await operator().ipPoolSiloLink({ ...of('office'), body: { silo: 'acme', isDefault: false } })
    const query = { project: 'demo', vpc: 'default', gateway: 'default' }
    await world
      .as('collaborator')
      .internetGatewayIpPoolCreate({ query, body: { ...named('more'), ipPool: 'office' } })
    await operator().ipPoolDelete({ ...of('office'), query: {} })
    const { items } = await world.as('collaborator').internetGatewayIpPoolList({ query })
    expect(items.map(({ name }) => name)).toEqual(['default'])
  })
})

describe('the list', () => {
  it('has all pools but those of the control plane, page by page', async () => {
    for (const name of ['office', 'zoo']) await create(name)
    const list = (query: object) => operator().ipPoolList({ query })
    const all = await list({})
    expect(all.items.map(({ name }) => name)).toEqual(['office', 'public', 'zoo'])
    const first = await list({ limit: 2, sortBy: 'name_descending' })
    expect(first.items.map(({ name }) => name)).toEqual(['zoo', 'public'])
    expect((await list({ limit: 2, pageToken: first.nextPage })).items.map(({ name }) => name)).toEqual([
      'office',
    ])
    const byId = await list({ sortBy: 'id_ascending' })
    expect(byId.items.map(({ id }) => id)).toEqual(all.items.map(({ id }) => id).toSorted())
  })
})

describe('the pool of the control plane', () => {
  it('can be viewed, has ranges, and is not among the pools that can be changed', async () => {
    const pool = await operator().ipPoolServiceView()
    expect(pool).toMatchObject({ name: service, ipVersion: 'v4' })
    expect(await operator().ipPoolView(of(service))).toEqual(pool)
    const range = { first: '10.50.0.1', last: '10.50.0.2' }
    const body = { silo: 'acme', isDefault: false }
    const ofLink = { params: { pool: service, silo: 'acme' } }
    for (const attempt of [
      () => operator().ipPoolUpdate({ ...of(service), body: { description: 'mine' } }),
      () => operator().ipPoolDelete({ ...of(service), query: {} }),
      () => operator().ipPoolRangeList({ ...of(service), query: {} }),
      () => operator().ipPoolRangeAdd({ ...of(service), body: range }),
      () => operator().ipPoolRangeRemove({ ...of(service), body: range }),
      () => operator().ipPoolSiloLink({ ...of(service), body }),
      () => operator().ipPoolSiloUpdate({ ...ofLink, body: { isDefault: true } }),
      () => operator().ipPoolSiloUnlink(ofLink),
    ])
      await expect(attempt()).rejects.toMatchObject(notFound(service))
    const added = await operator().ipPoolServiceRangeAdd({ body: range })
    expect((await operator().ipPoolServiceRangeList({ query: {} })).items).toEqual([added])
    await operator().ipPoolServiceRangeRemove({ body: range })
    expect((await operator().ipPoolServiceRangeList({ query: {} })).items).toEqual([])
  })

  it('is not seen by silos', async () => {
    const attempt = world.as('admin').projectIpPoolView(of(service))
    await expect(attempt).rejects.toMatchObject({ status: 404 })
  })
})

describe('permissions', () => {
  const range = { first: '10.60.0.1', last: '10.60.0.9' }
  const ofLink = { params: { pool: 'public', silo: 'acme' } }

  it('reading needs a fleet role; for other users a pool does not exist', async () => {
    expect(await answers(world, (c) => c.ipPoolView(of('public')))).toEqual(fleetOnly)
    expect(await answers(world, (c) => c.ipPoolUtilizationView(of('public')))).toEqual(fleetOnly)
    expect(await answers(world, (c) => c.ipPoolRangeList({ ...of('public'), query: {} }))).toEqual(fleetOnly)
    expect(await answers(world, (c) => c.ipPoolSiloList({ ...of('public'), query: {} }))).toEqual(fleetOnly)
    expect(await answers(world, (c) => c.ipPoolServiceView())).toEqual(fleetOnly)
    expect((await answers(world, (c) => c.ipPoolList({ query: {} }))).admin).toBe(403)
    expect((await answers(world, (c, name) => c.ipPoolCreate({ body: named(name) }))).admin).toBe(403)
  })

  it.each(['viewer', 'collaborator'] as const)('change: not the %s of the fleet', async (role) => {
    const reader = await asFleet(role)
    expect((await reader.ipPoolView(of('public'))).name).toBe('public')
    for (const attempt of [
      () => reader.ipPoolCreate({ body: named('mine') }),
      () => reader.ipPoolUpdate({ ...of('public'), body: {} }),
      () => reader.ipPoolDelete({ ...of('public'), query: {} }),
      () => reader.ipPoolRangeAdd({ ...of('public'), body: range }),
      () => reader.ipPoolRangeRemove({ ...of('public'), body: range }),
      () => reader.ipPoolSiloLink({ ...of('public'), body: { silo: 'acme', isDefault: false } }),
      () => reader.ipPoolSiloUpdate({ ...ofLink, body: { isDefault: false } }),
      () => reader.ipPoolSiloUnlink(ofLink),
      () => reader.ipPoolServiceRangeAdd({ body: range }),
      () => reader.ipPoolServiceRangeRemove({ body: range }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 403 })
  })
})

describe('silos', () => {
  it('are listed to operators, hidden ones too, and shown to their own users', async () => {
    await inDb(world, (tx) =>
      tx.updateTable('silo').set({ discoverable: 0 }).where('name', '=', 'other').execute(),
    )
    const { items } = await operator().siloList({ query: {} })
    expect(items.map(({ name, discoverable }) => [name, discoverable])).toEqual([
      ['acme', true],
      ['other', false],
    ])
    expect(await operator().siloView({ params: { silo: 'other' } })).toEqual({
      ...items[1],
      certificateExpires: null,
    })
    expect(await world.as('noRole').siloView({ params: { silo: 'acme' } })).toEqual({
      ...items[0],
      certificateExpires: null,
    })
    await expect(world.as('admin').siloView({ params: { silo: 'other' } })).rejects.toMatchObject({
      status: 404,
      message: 'not found: silo with name "other"',
    })
    await expect(world.as('admin').siloList({ query: {} })).rejects.toMatchObject({ status: 403 })
  })
})
