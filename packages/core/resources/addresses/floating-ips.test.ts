import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPool } from '#/seed/rows.ts'
import { addFloatingIp, addInstance, inDb } from '#/testing/networks/networks.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const query = { project: 'demo' }
const me = () => world.as('projectViewer')
const owner = () => world.as('projectCollaborator')
const at = (floatingIp: string) => ({ params: { floatingIp }, query })
const create = (name: string, more: { pool?: string; ip?: string; description?: string } = {}) =>
  owner().floatingIpCreate({ query, body: { name, description: '', ...more } })
const invalid = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const rejects = rejectsIn(() => world)
const addPool = (name: string, silo: string) =>
  inDb(world, (tx) =>
    createPool(world.world, tx, {
      name,
      description: '',
      ranges: [['10.77.0.1', '10.77.0.2']],
      silos: [{ siloId: world.ids[silo] ?? '', isDefault: false }],
    }),
  )

it('can be viewed by name and id', async () => {
  const id = await addFloatingIp(world, 'front')
  const floatingIp = await me().floatingIpView({ params: { floatingIp: 'front' }, query })
  expect(floatingIp).toEqual({
    id,
    name: 'front',
    description: '',
    timeCreated: new Date(world.clock.now()),
    timeModified: new Date(world.clock.now()),
    ip: '10.20.0.10',
    ipPoolId: world.ids['public'],
    projectId: world.ids['demo'],
    instanceId: null,
  })
  expect(await me().floatingIpView({ params: { floatingIp: id }, query: {} })).toEqual(floatingIp)
})

it('shows the instance that it is attached to', async () => {
  await addFloatingIp(world, 'front')
  const { id } = await addInstance(world, 'vm', { externalIps: [{ type: 'floating', floatingIp: 'front' }] })
  expect(await me().floatingIpView({ params: { floatingIp: 'front' }, query })).toMatchObject({
    instanceId: id,
  })
})

describe('the list', () => {
  it('has no other kind of address', async () => {
    await addInstance(world, 'vm', { externalIps: [{ type: 'ephemeral' }] })
    await addFloatingIp(world, 'a')
    const { items, nextPage } = await me().floatingIpList({ query })
    expect([items, nextPage]).toMatchObject([[{ name: 'a' }], null])
  })
})

describe('a selector', () => {
  it('does not find an address of another kind', async () => {
    await addInstance(world, 'vm', { externalIps: [{ type: 'ephemeral' }] })
    const id = await world.world.engine.transaction(
      'read',
      async (tx) =>
        (
          await tx
            .selectFrom('externalIp')
            .select('id')
            .where('kind', '=', 'ephemeral')
            .executeTakeFirstOrThrow()
        ).id,
    )
    await expect(me().floatingIpView({ params: { floatingIp: id }, query: {} })).rejects.toMatchObject({
      status: 404,
    })
  })
})

describe('create', () => {
  it('answers 201 with the lowest free address of the default pool, unattached', async () => {
    const { status, json } = await world.raw({
      method: 'POST',
      url: '/v1/floating-ips?project=demo',
      who: 'projectCollaborator',
      body: JSON.stringify({ name: 'front', description: 'the door' }),
    })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      name: 'front',
      description: 'the door',
      ip: '10.20.0.10',
      ip_pool_id: world.ids['public'],
      project_id: world.ids['demo'],
      instance_id: null,
    })
    expect(await create('second')).toMatchObject({ ip: '10.20.0.11' })
  })

  it('takes from the pool that is named', async () => {
    const pool = await addPool('extra', 'acme')
    expect(await create('a', { pool: 'extra' })).toMatchObject({ ip: '10.77.0.1', ipPoolId: pool })
    expect(await create('b', { pool })).toMatchObject({ ip: '10.77.0.2' })
    await rejects(() => create('c', { pool }), {
      status: 507,
      code: 'InsufficientCapacity',
      message: 'Insufficient capacity: No external IP addresses available',
    })
  })

  it('a pool that is not linked to the silo does not exist', async () => {
    const foreign = await addPool('foreign', 'other')
    await rejects(() => create('a', { pool: 'foreign' }), {
      status: 404,
      message: 'not found: ip-pool with name "foreign"',
    })
    await rejects(() => create('a', { pool: foreign }), {
      status: 404,
      message: `not found: ip-pool with id "${foreign}"`,
    })
  })

  it('without a default pool a pool must be named', async () => {
    await inDb(world, (tx) => tx.updateTable('ipPoolSilo').set({ isDefault: 0 }).execute())
    await rejects(() => create('a'), {
      status: 404,
      message: 'not found: default IP pool for current silo',
    })
    expect(await create('a', { pool: 'public' })).toMatchObject({ ip: '10.20.0.10' })
  })

  it('an address of the default pool or a named one can be requested', async () => {
    await addPool('extra', 'acme')
    expect(await create('a', { ip: '10.20.0.40' })).toMatchObject({ ip: '10.20.0.40' })
    expect(await create('b', { ip: '10.77.0.2', pool: 'extra' })).toMatchObject({ ip: '10.77.0.2' })
    expect(await create('c')).toMatchObject({ ip: '10.20.0.10' })
  })

  it.each([
    ['in use by another floating IP', '10.20.0.10'],
    ['in use for source NAT', '10.20.0.11'],
    ['outside the pool', '10.77.0.1'],
    ['of the other family', 'fd00::1'],
  ])('an address %s is not available', async (_, ip) => {
    await create('front')
    await addInstance(world, 'vm')
    await rejects(() => create('second', { ip }), invalid('Requested external IP address not available'))
  })

  it('an address that was requested is not allocated again', async () => {
    await create('a', { ip: '10.20.0.11' })
    expect([await create('b'), await create('c')]).toMatchObject([{ ip: '10.20.0.10' }, { ip: '10.20.0.12' }])
  })

  it('at the same time each gets a different address', async () => {
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => create(name)))
    expect(new Set(made.map((one) => one.ip)).size).toBe(5)
    expect(await disorder(world)).toEqual([])
  })

  it('one address at the same time: one gets it', async () => {
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) => create(name, { ip: '10.20.0.99' })),
    )
    expect(outcomes.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    for (const one of outcomes)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject(invalid('Requested external IP address not available'))
  })
})

describe('delete', () => {
  it('answers 204 and releases the address', async () => {
    await create('a')
    await create('b')
    const { status } = await world.raw({
      method: 'DELETE',
      url: '/v1/floating-ips/a?project=demo',
      who: 'projectCollaborator',
    })
    expect(status).toBe(204)
    await expect(owner().floatingIpView(at('a'))).rejects.toMatchObject({ status: 404 })
    expect(await create('c')).toMatchObject({ ip: '10.20.0.10' })
    expect(await disorder(world)).toEqual([])
  })

  it('not while it is attached', async () => {
    await create('front')
    await addInstance(world, 'vm', { externalIps: [{ type: 'floating', floatingIp: 'front' }] })
    await rejects(
      () => owner().floatingIpDelete(at('front')),
      invalid('Floating IP cannot be deleted while attached to an instance'),
    )
    await owner().floatingIpDetach(at('front'))
    await owner().floatingIpDelete(at('front'))
  })
})
