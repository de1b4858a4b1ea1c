import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
  await operator().ipPoolCreate({ body: { name: 'office', description: '' } })
  const body = { first: '10.40.0.1', last: '10.40.0.9' }
  await operator().ipPoolRangeAdd({ params: { pool: 'office' }, body })
})
afterEach(async () => {
  expect(world.errors).toEqual([])
  await world.close()
})

const operator = () => world.as('fleetAdmin')
const link = (pool: string, silo: string, isDefault = false) =>
  operator().ipPoolSiloLink({ params: { pool }, body: { silo, isDefault } })
const setDefault = (pool: string, isDefault: boolean, silo = 'acme') =>
  operator().ipPoolSiloUpdate({ params: { pool, silo }, body: { isDefault } })
const unlink = (pool: string, silo = 'acme') => operator().ipPoolSiloUnlink({ params: { pool, silo } })
const defaults = async () => {
  const { items } = await world.as('viewer').projectIpPoolList({ query: {} })
  return items.filter((pool) => pool.isDefault).map(({ name }) => name)
}
const inVpc = { project: 'demo', vpc: 'default' }
/** The attachments of the gateway `default` of a VPC: name → pool. */
async function attached(vpc = 'default', gateway = 'default') {
  const query = { ...inVpc, vpc, gateway }
  const { items } = await world.as('viewer').internetGatewayIpPoolList({ query })
  const { items: pools } = await operator().ipPoolList({ query: {} })
  const nameOf = (id: string) => pools.find((pool) => pool.id === id)?.name
  return Object.fromEntries(items.map((item) => [item.name, nameOf(item.ipPoolId)]))
}
const floatingIn = (pool?: string) =>
  world.as('collaborator').floatingIpCreate({
    query: { project: 'demo' },
    body: { name: `from-${pool ?? 'default'}`, description: '', ...(pool === undefined ? {} : { pool }) },
  })
const exists = { status: 400, code: 'ObjectAlreadyExists' }

describe('a link', () => {
  it('lets the silo take addresses of the pool', async () => {
    const unknown = { status: 404, message: 'not found: ip-pool with name "office"' }
    await expect(floatingIn('office')).rejects.toMatchObject(unknown)
    const { acme = '' } = world.ids
    const made = await link('office', 'acme')
    expect(made).toMatchObject({ siloId: acme, isDefault: false })
    expect((await operator().ipPoolSiloList({ params: { pool: 'office' }, query: {} })).items).toEqual([made])
    expect((await floatingIn('office')).ip).toBe('10.40.0.1')
  })

  it('is listed by silo, page by page', async () => {
    for (const silo of ['acme', 'other']) await link('office', silo)
    const list = (query: object) => operator().ipPoolSiloList({ params: { pool: 'office' }, query })
    const [low, high] = ['acme', 'other'].map((name) => world.ids[name] ?? '').toSorted()
    const first = await list({ limit: 1, sortBy: 'id_ascending' })
    expect(first.items.map(({ siloId }) => siloId)).toEqual([low])
    const second = await list({ limit: 1, pageToken: first.nextPage })
    expect(second.items.map(({ siloId }) => siloId)).toEqual([high])
    expect(second.nextPage).toBeNull()
  })

  it('is listed for its silo', async () => {
    await link('office', 'other', true)
    const { items } = await operator().siloIpPoolList({ params: { silo: 'other' }, query: {} })
    expect(items.map(({ name, isDefault }) => [name, isDefault])).toEqual([['office', true]])
    const asAdmin = (silo: string) => world.as('admin').siloIpPoolList({ params: { silo }, query: {} })
    await expect(asAdmin('acme')).rejects.toMatchObject({ status: 403 })
    await expect(asAdmin('other')).rejects.toMatchObject({ status: 404 })
  })

  it('is made once', async () => {
    await link('office', 'acme')
    const message = 'already exists: ip-pool-resource "office in acme"'
    await expect(link('office', 'acme')).rejects.toMatchObject({ ...exists, message })
  })

  it('as a second default is refused', async () => {
    const message = 'already exists: ip-pool-resource "default of acme"'
    await expect(link('office', 'acme', true)).rejects.toMatchObject({ ...exists, message })
    expect(await defaults()).toEqual(['public'])
    await link('office', 'other', true)
  })

  it('needs a silo that exists', async () => {
    const message = 'not found: silo with name "none"'
    await expect(link('office', 'none')).rejects.toMatchObject({ status: 404, message })
  })

  it('that is missing is neither changed nor removed', async () => {
    const { id } = await operator().ipPoolView({ params: { pool: 'office' } })
    const message = `not found: ip-pool-resource with id "(${id}, ${world.ids['acme']})"`
    await expect(setDefault('office', true)).rejects.toMatchObject({ status: 404, message })
    await expect(unlink('office')).rejects.toMatchObject({ status: 404, message })
  })

  it('stays while the silo has addresses of the pool', async () => {
    await link('office', 'acme')
    await link('office', 'other')
    const { id } = await floatingIn('office')
    const message = 'IP addresses from this pool are in use in the linked silo'
    await expect(unlink('office')).rejects.toMatchObject({ status: 400, message })
    await unlink('office', 'other')
    await world.as('collaborator').floatingIpDelete({ params: { floatingIp: id }, query: {} })
    await unlink('office')
    await expect(floatingIn('office')).rejects.toMatchObject({ status: 404 })
  })
})

describe('the default pool', () => {
  it('moves from one to the other in one step, and only once', async () => {
    await link('office', 'acme')
    expect(await setDefault('office', true)).toMatchObject({ isDefault: true })
    expect(await setDefault('office', true)).toMatchObject({ isDefault: true })
    expect(await defaults()).toEqual(['office'])
    expect((await floatingIn()).ip).toBe('10.40.0.1')
  })

  it('may be none', async () => {
    expect(await setDefault('public', false)).toMatchObject({ isDefault: false })
    expect(await defaults()).toEqual([])
    const message = 'not found: default IP pool for current silo'
    await expect(floatingIn()).rejects.toMatchObject({ status: 404, message })
  })

  it('of one silo is not that of another', async () => {
    await link('office', 'other', true)
    await setDefault('office', false, 'other')
    expect(await defaults()).toEqual(['public'])
  })
})

describe('the gateways named default', () => {
  const noDefault = async () => {
    await unlink('public')
    expect(await attached()).toEqual({})
  }

  it('get the pool that a silo is linked to as its default, also those that had none', async () => {
    await noDefault()
    const body = { name: 'late', description: '', dnsName: 'late' }
    await world.as('collaborator').vpcCreate({ query: { project: 'demo' }, body })
    await link('office', 'acme', true)
    expect([await attached(), await attached('late')]).toEqual([{ default: 'office' }, { default: 'office' }])
  })

  it('get the new default pool and lose the former one if it is unused', async () => {
    await link('office', 'acme')
    expect(await attached()).toEqual({ default: 'public' })
    await setDefault('office', true)
    expect(await attached()).toEqual({ default: 'office' })
  })

  it('keep the former default pool while an instance has an address of it', async () => {
    await addInstance(world, 'web')
    await link('office', 'acme')
    await setDefault('office', true)
    const { id } = await operator().ipPoolView({ params: { pool: 'office' } })
    expect(await attached()).toEqual({ default: 'public', [`pool-${id}`]: 'office' })
  })

  it('keep what a person has attached, until the pool is unlinked', async () => {
    await link('office', 'acme')
    const query = { ...inVpc, gateway: 'default' }
    const body = { name: 'mine', description: '', ipPool: 'office' }
    await world.as('collaborator').internetGatewayIpPoolCreate({ query, body })
    await setDefault('office', true)
    expect(await attached()).toEqual({ mine: 'office' })
    await setDefault('office', false)
    expect(await attached()).toEqual({ mine: 'office' })
    await unlink('office')
    expect(await attached()).toEqual({})
  })

  it('of other names and other silos stay as they are', async () => {
    const query = inVpc
    await world.as('collaborator').internetGatewayCreate({ query, body: { name: 'side', description: '' } })
    await link('office', 'other', true)
    expect(await attached()).toEqual({ default: 'public' })
    await link('office', 'acme')
    await setDefault('office', true)
    expect(await attached('default', 'side')).toEqual({})
  })

  it('do not prevent the deletion of an unchanged project', async () => {
    await link('office', 'acme')
    await setDefault('office', true)
    await world.as('admin').projectDelete({ params: { project: 'demo' } })
  })

  it('are counted as what people attach', async () => {
    const count = () =>
      inDb(world, (tx) =>
        tx.selectFrom('tally').select('count').where('kind', '=', 'internetGatewayIpPool').execute(),
      )
    expect(await count()).toEqual([{ count: 1 }])
    await noDefault()
    expect(await count()).toEqual([{ count: 0 }])
    await link('office', 'acme', true)
    expect(await count()).toEqual([{ count: 1 }])
  })
})

describe('the sleds', () => {
  const reachesOutside = async () => {
    await world.settle()
    const query = { project: 'demo', instance: 'web' }
    const [nic] = (await world.as('viewer').instanceNetworkInterfaceList({ query })).items
    const packet = {
      source: nic?.ip ?? '',
      destination: '8.8.8.8',
      protocol: { type: 'tcp', port: 80 },
    } as const
    return world.sleds.carries(nic?.id ?? '', packet)
  }

  it('are updated immediately when a pool is attached to gateways or detached', async () => {
    await unlink('public')
    const { public: pool = '' } = world.ids
    await link('public', 'acme', true)
    const query = { ...inVpc, gateway: 'default' }
    await addInstance(world, 'web', { start: true })
    await world.advance(10_000)
    expect(await reachesOutside()).toBe(true)
    await world
      .as('collaborator')
      .internetGatewayIpPoolDelete({ params: { pool: 'default' }, query: { ...query, cascade: true } })
    expect(await reachesOutside()).toBe(false)
    await setDefault(pool, false)
    await setDefault(pool, true)
    expect(await reachesOutside()).toBe(true)
  })
})
