import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { projectRead, projectWrite, type Caller } from '#/testing/roles.ts'
import { rejectsIn, disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
})
afterEach(async () => {
  expect(await disorder(world)).toEqual([])
  expect(world.errors).toEqual([])
  await world.close()
})

const query = { project: 'demo', vpc: 'default' }
const atDefault = { ...query, gateway: 'default' }
const me = () => world.as('projectCollaborator')
const named = (name: string) => ({ name, description: '' })
const create = (name: string) => me().internetGatewayCreate({ query, body: named(name) })
const remove = (gateway: string, cascade?: boolean) =>
  me().internetGatewayDelete({ params: { gateway }, query: { ...query, cascade } })
const attachPool = (name: string, ipPool = 'public', gateway = 'default') =>
  me().internetGatewayIpPoolCreate({ query: { ...query, gateway }, body: { ...named(name), ipPool } })
const detachPool = (pool: string, cascade?: boolean) =>
  me().internetGatewayIpPoolDelete({ params: { pool }, query: { ...atDefault, cascade } })
const attachAddress = (name: string, address: string) =>
  me().internetGatewayIpAddressCreate({ query: atDefault, body: { ...named(name), address } })
const detachAddress = (address: string, cascade?: boolean) =>
  me().internetGatewayIpAddressDelete({ params: { address }, query: { ...atDefault, cascade } })
const routeNames = async (router = 'system') =>
  (await me().vpcRouterRouteList({ query: { ...query, router } })).items.map(({ name }) => name)
const rejects = rejectsIn(() => world)
const how = 'To perform a cascading delete set the cascade option'
const refused = (message: string) => ({
  status: 400,
  code: 'InvalidRequest',
  message: `${message} ${how}`,
})

describe('an attached pool', () => {
  it('has its ids in its view', async () => {
    await create('second')
    const made = await attachPool('mine', 'public', 'second')
    const gateway = await me().internetGatewayView({ params: { gateway: 'second' }, query })
    expect(made).toMatchObject({
      name: 'mine',
      internetGatewayId: gateway.id,
      ipPoolId: world.ids['public'],
    })
    const { items } = await me().internetGatewayIpPoolList({ query: { ...query, gateway: 'second' } })
    expect(items).toEqual([made])
  })

  it('must be linked to the silo', () =>
    rejects(() => attachPool('mine', 'elsewhere'), {
      status: 404,
      code: 'ObjectNotFound',
      message: 'not found: ip-pool with name "elsewhere"',
    }))

  it('has a name that is unique in its gateway', async () => {
    await rejects(() => attachPool('default'), {
      status: 400,
      message: 'already exists: internet-gateway-ip-pool "default"',
    })
    await create('second')
    await attachPool('default', 'public', 'second')
  })

  const inUse = refused('VPC routes dependent on this IP pool.')
  it('is not detached while instances with its addresses use its routes, unless requested', async () => {
    await addInstance(world, 'web')
    const before = await routeNames()
    await rejects(() => detachPool('default'), inUse)
    await rejects(() => detachPool('default', false), inUse)
    await detachPool('default', true)
    expect((await me().internetGatewayIpPoolList({ query: atDefault })).items).toEqual([])
    expect(await routeNames()).toEqual(before)
  })

  it('is detached if no instance of the VPC has an address of it', async () => {
    const body = { ...named('net'), dnsName: 'net' }
    await me().vpcCreate({ query: { project: 'demo' }, body })
    await addInstance(world, 'web', {
      networkInterfaces: {
        type: 'create',
        params: [{ ...named('nic'), vpcName: 'net', subnetName: 'default' }],
      },
    })
    await detachPool('default')
  })

  it('is detached if no route leads to the gateway', async () => {
    await addInstance(world, 'web')
    for (const [route, value] of [
      ['default-v4', '0.0.0.0/0'],
      ['default-v6', '::/0'],
    ] as const) {
      await rejects(() => detachPool('default'), inUse)
      await me().vpcRouterRouteUpdate({
        params: { route },
        query: { ...query, router: 'system' },
        body: { destination: { type: 'ip_net', value }, target: { type: 'drop' } },
      })
    }
    await detachPool('default')
  })
})

describe('an attached address', () => {
  it('is any address, in its usual form', async () => {
    const made = await attachAddress('six', '2001:DB8::0001')
    expect(made).toMatchObject({ name: 'six', address: '2001:db8::1' })
    expect((await me().internetGatewayIpAddressList({ query: atDefault })).items).toEqual([made])
    await rejects(() => attachAddress('six', '203.0.113.9'), {
      status: 400,
      message: 'already exists: internet-gateway-ip-address "six"',
    })
    await rejects(() => attachAddress('no', 'x'), { status: 400 })
  })

  it('is not detached while its instance uses its routes, unless requested', async () => {
    await addInstance(world, 'web', { externalIps: [{ type: 'ephemeral' }] })
    const { items } = await me().instanceExternalIpList({
      params: { instance: 'web' },
      query: { project: 'demo' },
    })
    await attachAddress('mine', items.find(({ kind }) => kind === 'ephemeral')?.ip ?? '')
    await attachAddress('other', '198.51.100.1')
    await rejects(() => detachAddress('mine'), refused('VPC routes dependent on this IP address.'))
    await detachAddress('mine', true)
    await detachAddress('other')
    expect((await me().internetGatewayIpAddressList({ query: atDefault })).items).toEqual([])
  })
})

describe('delete', () => {
  it('is refused while pools or addresses are attached', async () => {
    await attachAddress('mine', '203.0.113.9')
    await rejects(() => remove('default'), refused('Ip pools referencing this gateway exist.'))
    await detachPool('default')
    await rejects(() => remove('default', false), refused('Ip addresses referencing this gateway exist.'))
    await detachAddress('mine')
    const before = await routeNames()
    await remove('default')
    expect(await routeNames()).toEqual(before)
  })

  it('with cascade removes its attachments and every route of the VPC to it, and no other', async () => {
    await me().vpcRouterCreate({ query, body: named('edge') })
    await me().vpcCreate({ query: { project: 'demo' }, body: { ...named('net'), dnsName: 'net' } })
    await create('second')
    for (const [name, gateway] of [
      ['out', 'default'],
      ['other', 'second'],
    ])
      await me().vpcRouterRouteCreate({
        query: { ...query, router: 'edge' },
        body: {
          ...named(name ?? ''),
          destination: { type: 'ip_net', value: name === 'out' ? '8.0.0.0/8' : '9.0.0.0/8' },
          target: { type: 'internet_gateway', value: gateway ?? '' },
        },
      })
    await attachAddress('mine', '203.0.113.9')
    await remove('default', true)
    expect(await routeNames()).toEqual(['default'])
    expect(await routeNames('edge')).toEqual(['other'])
    const { items } = await me().vpcRouterRouteList({
      query: { project: 'demo', vpc: 'net', router: 'system' },
    })
    expect(items).toHaveLength(3)
    const left = await inDb(world, (tx) =>
      Promise.all(
        (['internetGatewayIpPool', 'internetGatewayIpAddress'] as const).map((table) =>
          tx.selectFrom(table).select('internetGatewayId').execute(),
        ),
      ),
    )
    expect(left.map((rows) => rows.length)).toEqual([1, 0])
  })

  it('names the problem with another value of cascade', async () => {
    const url = '/v1/internet-gateways/default?project=demo&vpc=default&cascade=yes'
    const { status, json } = await world.raw({ method: 'DELETE', url, who: 'admin' })
    const message = 'unable to parse query string: cascade: provided string was not `true` or `false`'
    expect([status, json]).toMatchObject([400, { message }])
  })
})

it('viewers list attachments, and collaborators make and delete them', async () => {
  const ask = async (caller: Caller, method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) => {
    const who = caller === 'anonymous' ? {} : { who: caller }
    const { status } = await world.raw({ method, url, ...who, ...(body && { body: JSON.stringify(body) }) })
    return status < 300 ? 'ok' : status
  }
  const parents = 'project=demo&vpc=default&gateway=default'
  for (const [path, own] of [
    ['/v1/internet-gateway-ip-pools', { ip_pool: 'public' }],
    ['/v1/internet-gateway-ip-addresses', { address: '203.0.113.9' }],
  ] as const) {
    const found: Record<string, Record<string, unknown>> = { list: {}, create: {}, delete: {} }
    for (const caller of Object.keys(projectRead) as Caller[]) {
      const name = caller.toLowerCase()
      const body = { ...named(name), ...own }
      found['list'] = { ...found['list'], [caller]: await ask(caller, 'GET', `${path}?${parents}`) }
      found['create'] = {
        ...found['create'],
        [caller]: await ask(caller, 'POST', `${path}?${parents}`, body),
      }
      await ask('admin', 'POST', `${path}?${parents}`, body)
      const gone = await ask(caller, 'DELETE', `${path}/${name}?${parents}`)
      found['delete'] = { ...found['delete'], [caller]: gone }
    }
    expect(found).toEqual({ list: projectRead, create: projectWrite, delete: projectWrite })
  }
})
