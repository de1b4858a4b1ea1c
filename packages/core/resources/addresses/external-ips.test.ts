import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPool } from '#/seed/rows.ts'
import { addFloatingIp, addInstance, inDb } from '#/testing/networks/networks.ts'
import { answers, projectRead } from '#/testing/roles.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const query = { project: 'demo' }
type RequestedIps = NonNullable<NonNullable<Parameters<typeof addInstance>[2]>['externalIps']>
const create = (name: string, externalIps: RequestedIps = []) => addInstance(world, name, { externalIps })
const ips = async (instance: string) =>
  (await world.as('projectViewer').instanceExternalIpList({ params: { instance }, query })).items
const remove = (instance: string) =>
  world.as('projectCollaborator').instanceDelete({ params: { instance }, query })
const floating = (floatingIp: string) => ({ type: 'floating' as const, floatingIp })
const ephemeral = (pool?: string) => ({ type: 'ephemeral' as const, ...(pool === undefined ? {} : { pool }) })
const noDefault = () => inDb(world, (tx) => tx.updateTable('ipPoolSilo').set({ isDefault: 0 }).execute())
const addPool = (name: string, silo: string) =>
  inDb(world, (tx) =>
    createPool(world.world, tx, {
      name,
      description: '',
      ranges: [[`10.77.0.1`, '10.77.0.1']],
      silos: [{ siloId: world.ids[silo] ?? '', isDefault: false }],
    }),
  )

describe('a list of instances', () => {
  const list = (more: object) => world.as('projectViewer').instanceList({ query: { ...query, ...more } })

  it('has the addresses of each if requested, as the instance has them', async () => {
    await addFloatingIp(world, 'web')
    await create('a', [floating('web'), ephemeral()])
    await create('b')
    await addInstance(world, 'c', { networkInterfaces: { type: 'none' } })
    const { items } = await list({ externalIps: true })
    expect(items.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    for (const { name, externalIps } of items) expect(externalIps).toEqual(await ips(name))
    expect(items[0]?.externalIps?.map(({ kind }) => kind)).toEqual(['floating', 'ephemeral', 'snat'])
  })

  it('does not have them otherwise', async () => {
    await create('a')
    for (const more of [{}, { externalIps: false }])
      expect(Object.keys((await list(more)).items[0] ?? {})).not.toContain('externalIps')
  })

  it('has them on every page, of which none is longer than a hundred', async () => {
    for (const name of ['a', 'b', 'c']) await create(name)
    const first = await list({ externalIps: true, limit: 2 })
    const rest = await list({ pageToken: first.nextPage })
    expect([...first.items, ...rest.items].map(({ externalIps }) => externalIps?.length)).toEqual([1, 1, 1])
    for (let i = 0; i < 101; i++) await addInstance(world, `n-${i}`, { networkInterfaces: { type: 'none' } })
    expect((await list({ externalIps: true, limit: 1000 })).items).toHaveLength(100)
    expect((await list({ limit: 1000 })).items).toHaveLength(104)
  })
})

describe('source NAT', () => {
  it('four instances share an address of the default pool', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name)
    expect(await ips('a')).toEqual([
      { kind: 'snat', ip: '10.20.0.10', firstPort: 0, lastPort: 16_383, ipPoolId: world.ids['public'] },
    ])
    expect(await ips('d')).toMatchObject([{ ip: '10.20.0.10', firstPort: 49_152, lastPort: 65_535 }])
    expect(await ips('e')).toMatchObject([{ ip: '10.20.0.11', firstPort: 0 }])
  })

  it('an instance without an interface has none', async () => {
    await addInstance(world, 'vm', { networkInterfaces: { type: 'none' } })
    expect(await ips('vm')).toEqual([])
  })

  it('a silo without a default pool can run private instances', async () => {
    await noDefault()
    await create('vm')
    expect(await ips('vm')).toEqual([])
  })

  it('a pool that is used up refuses the instance', async () => {
    await inDb(world, (tx) => tx.updateTable('ipPoolRange').set({ nextKey: '5' }).execute())
    await expect(create('vm')).rejects.toMatchObject({
      status: 507,
      message: 'Insufficient capacity: No external IP addresses available',
    })
  })
})

describe('an ephemeral address', () => {
  it('comes from the default pool, or from the pool that is named', async () => {
    const pool = await addPool('extra', 'acme')
    await create('a', [ephemeral()])
    expect(await ips('a')).toMatchObject([
      { kind: 'ephemeral', ip: '10.20.0.11', ipPoolId: world.ids['public'] },
      { kind: 'snat' },
    ])
    await create('b', [ephemeral('extra')])
    expect(await ips('b')).toMatchObject([
      { kind: 'ephemeral', ip: '10.77.0.1', ipPoolId: pool },
      { kind: 'snat' },
    ])
    await expect(create('c', [ephemeral(pool)])).rejects.toMatchObject({ status: 507 })
  })

  it('needs a pool that is linked to the silo', async () => {
    await addPool('foreign', 'other')
    await expect(create('vm', [ephemeral('foreign')])).rejects.toMatchObject({
      status: 404,
      message: 'not found: ip-pool with name "foreign"',
    })
  })

  it('needs a default pool when none is named', async () => {
    await noDefault()
    const attempt = create('vm', [ephemeral()])
    await expect(attempt).rejects.toMatchObject({
      status: 404,
      message: 'not found: default IP pool for current silo',
    })
    await create('vm', [ephemeral('public')])
  })

  it('there is one at most', async () => {
    const attempt = create('vm', [ephemeral(), ephemeral()])
    await expect(attempt).rejects.toMatchObject({
      status: 400,
      message: 'An instance may not have more than 1 ephemeral IP address',
    })
  })
})

describe('a floating IP', () => {
  it('is attached by name or id', async () => {
    const ids = [await addFloatingIp(world, 'a'), await addFloatingIp(world, 'b')]
    const { id } = await create('vm', [floating('a'), floating(ids[1] ?? '')])
    expect(await ips('vm')).toMatchObject([
      { kind: 'floating', name: 'a', id: ids[0], instanceId: id },
      { kind: 'floating', name: 'b', id: ids[1] },
      { kind: 'snat' },
    ])
  })

  it('named twice is attached once', async () => {
    await addFloatingIp(world, 'a')
    await create('vm', [floating('a'), floating('a')])
    expect(await ips('vm')).toMatchObject([{ kind: 'floating' }, { kind: 'snat' }])
  })

  it('must exist, in the project of the instance', async () => {
    const second = await world.as('admin').projectCreate({ body: { name: 'second', description: '' } })
    const id = await addFloatingIp(world, 'theirs', second.id)
    await expect(create('vm', [floating('theirs')])).rejects.toMatchObject({
      status: 404,
      message: 'not found: floating-ip with name "theirs"',
    })
    await expect(create('vm', [floating(id)])).rejects.toMatchObject({
      status: 400,
      message: 'floating IP must be in the same project as the instance',
    })
  })

  it('is attached to at most one instance', async () => {
    await addFloatingIp(world, 'a')
    await create('first', [floating('a')])
    const message = 'floating IP cannot be attached to one instance while still attached to another'
    await expect(create('second', [floating('a')])).rejects.toMatchObject({ status: 400, message })
  })
})

it('an instance has at most 32 external addresses', async () => {
  for (let i = 0; i < 33; i++) await addFloatingIp(world, `f${i}`)
  const requested = Array.from({ length: 33 }, (_, i) => floating(`f${i}`))
  await expect(create('vm', requested)).rejects.toMatchObject({
    status: 400,
    message: 'An instance may not have more than 32 external IP addresses',
  })
  await create('vm', requested.slice(1))
  expect(await ips('vm')).toHaveLength(33)
})

describe('the end of an instance', () => {
  it('frees its ephemeral address and its share for source NAT', async () => {
    await create('a', [ephemeral()])
    const before = await ips('a')
    await remove('a')
    await create('b', [ephemeral()])
    expect(await ips('b')).toEqual(before)
  })

  it('detaches floating IPs and keeps them', async () => {
    await addFloatingIp(world, 'front')
    await create('a', [floating('front')])
    await remove('a')
    const view = await world.as('viewer').floatingIpView({ params: { floatingIp: 'front' }, query })
    expect(view).toMatchObject({ ip: '10.20.0.10', instanceId: null })
    await create('b', [floating('front')])
  })
})

it('viewers of the project may list the addresses of an instance', async () => {
  await create('vm')
  expect(
    await answers(world, (c) => c.instanceExternalIpList({ params: { instance: 'vm' }, query })),
  ).toEqual(projectRead)
})
