import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rejectsIn, disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
  await me().vpcRouterCreate({ query: inVpc, body: { name: 'edge', description: '' } })
})
afterEach(async () => {
  expect(await disorder(world)).toEqual([])
  await world.close()
})

type Way = Pick<Parameters<Client<Operations>['vpcRouterRouteCreate']>[0]['body'], 'destination' | 'target'>
type Destination = Way['destination']
type Target = Way['target']
const inVpc = { project: 'demo', vpc: 'default' }
const query = { ...inVpc, router: 'edge' }
const system = { ...inVpc, router: 'system' }
const me = () => world.as('projectCollaborator')
const net = (value: string): Destination => ({ type: 'ip_net', value })
const ip = (value: string) => ({ type: 'ip' as const, value })
const drop: Target = { type: 'drop' }
const create = (name: string, destination: Destination, target: Target = drop, router = 'edge') =>
  me().vpcRouterRouteCreate({
    query: { ...inVpc, router },
    body: { name, description: '', destination, target },
  })
const update = (
  route: string,
  body: Way & { name?: string | null; description?: string | null },
  router = 'edge',
) => me().vpcRouterRouteUpdate({ params: { route }, query: { ...inVpc, router }, body })
const remove = (route: string, router = 'edge') =>
  me().vpcRouterRouteDelete({ params: { route }, query: { ...inVpc, router } })
const rejects = rejectsIn(() => world)
const refused = (message: string) => ({ status: 400, code: 'InvalidRequest', message })

describe('create', () => {
  const ways: [Destination, Target][] = [
    [ip('10.1.0.1'), ip('172.30.0.5')],
    [net('10.1.0.0/24'), { type: 'instance', value: 'nowhere' }],
    [net('fd00:9::/64'), ip('fd00::5')],
    [{ type: 'subnet', value: 'not-yet' }, drop],
    [net('0.0.0.0/0'), { type: 'internet_gateway', value: 'default' }],
  ]
  it.each(ways)(
    'accepts %o with target %o, and names of what does not exist',
    async (destination, target) => {
      const route = await create('way', destination, target)
      const router = await me().vpcRouterView({ params: { router: 'edge' }, query: inVpc })
      expect(route).toMatchObject({ kind: 'custom', vpcRouterId: router.id, destination, target })
      expect(await me().vpcRouterRouteView({ params: { route: 'way' }, query })).toEqual(route)
    },
  )

  it('shows addresses and networks in their usual form', async () => {
    const made = await create('way', net('FD00:0:0:9::/64'), ip('FD00::0005'))
    expect(made).toMatchObject({ destination: net('fd00:0:0:9::/64'), target: ip('fd00::5') })
  })

  it('is refused in a system router', () =>
    rejects(
      () => create('way', net('10.1.0.0/24'), drop, 'system'),
      refused('user-provided routes cannot be added to a system router'),
    ))

  const wrong: [string, Destination, Target][] = [
    ["IP address range '10.0.0.5/24' has a non-zero host identifier", net('10.0.0.5/24'), drop],
    ["IP address range 'fd00:0:0:9::1/64' has a non-zero host identifier", net('fd00:0:0:9::1/64'), drop],
    [
      'cannot mix explicit IPv4 and IPv6 addresses between destination and target',
      net('10.1.0.0/24'),
      ip('fd00::5'),
    ],
    [
      'cannot mix explicit IPv4 and IPv6 addresses between destination and target',
      ip('fd00::5'),
      ip('10.0.0.5'),
    ],
    [
      'users cannot specify VPCs as a destination or target in Custom routes',
      { type: 'vpc', value: 'default' },
      drop,
    ],
    [
      'users cannot specify VPCs as a destination or target in Custom routes',
      net('10.1.0.0/24'),
      { type: 'vpc', value: 'default' },
    ],
    [
      'subnets cannot be used as a target in Custom routers',
      net('10.1.0.0/24'),
      { type: 'subnet', value: 'default' },
    ],
  ]
  it.each(wrong)('is refused: %s (%o, %o)', async (message, destination, target) => {
    await rejects(() => create('way', destination, target), refused(message))
    await create('way', net('10.2.0.0/24'))
    await rejects(() => update('way', { destination, target }), refused(message))
  })

  const twins: [Destination, Destination][] = [
    [net('10.1.0.0/24'), net('10.1.0.0/24')],
    [ip('10.1.0.1'), net('10.1.0.1/32')],
    [net('fd00::1/128'), ip('FD00::1')],
    [
      { type: 'subnet', value: 'a' },
      { type: 'subnet', value: 'a' },
    ],
  ]
  it.each(twins)('refuses a second route of the router to the same: %o, %o', async (first, second) => {
    await create('first', first)
    const twice = refused('route "first" of this router has the same destination: change that one')
    await rejects(() => create('second', second), twice)
    await create('second', net('10.7.0.0/16'))
    await rejects(() => update('second', { destination: second, target: drop }), twice)
    await me().vpcRouterCreate({ query: inVpc, body: { name: 'other', description: '' } })
    await create('first', first, drop, 'other')
  })
})

describe('update', () => {
  it('replaces destination and target; an absent name and description stay', async () => {
    const made = await create('way', net('10.1.0.0/24'))
    await world.advance(1000)
    const way = { destination: net('10.2.0.0/24'), target: ip('172.30.0.9') }
    const now = new Date(world.clock.now())
    expect(await update('way', way)).toEqual({ ...made, ...way, timeModified: now })
    expect(await update('way', { ...way, name: 'renamed' })).toMatchObject({ name: 'renamed' })
  })

  it('needs both of them', async () => {
    await create('way', net('10.1.0.0/24'))
    const { status, json } = await world.raw({
      method: 'PUT',
      url: '/v1/vpc-router-routes/way?project=demo&vpc=default&router=edge',
      who: 'projectCollaborator',
      body: JSON.stringify({ destination: net('10.1.0.0/24') }),
    })
    expect([status, json]).toMatchObject([
      400,
      { message: expect.stringContaining('missing field `target`') },
    ])
  })

  const all = net('0.0.0.0/0')
  it('of a default route changes its target only', async () => {
    const after = await update('default-v4', { destination: all, target: ip('172.30.0.9') }, 'system')
    expect(after).toMatchObject({ name: 'default-v4', kind: 'default', target: ip('172.30.0.9') })
    const message = 'the destination and metadata of a Default route cannot be changed'
    for (const body of [
      { destination: net('0.0.0.0/1'), target: drop },
      { destination: all, target: drop, name: 'other' },
      { destination: all, target: drop, name: 'default-v4' },
      { destination: all, target: drop, description: '' },
    ])
      await rejects(() => update('default-v4', body, 'system'), refused(message))
    await rejects(
      () => update('default-v4', { destination: all, target: { type: 'vpc', value: 'x' } }, 'system'),
      refused('users cannot specify VPCs as a destination or target in Default routes'),
    )
  })

  it('of the route to a subnet is refused', () =>
    rejects(
      () => update('default', { destination: { type: 'subnet', value: 'default' }, target: drop }, 'system'),
      refused('routes of type VpcSubnet within the system router are not modifiable'),
    ))
})

it('only custom routes are deleted', async () => {
  await create('way', net('10.1.0.0/24'))
  await remove('way')
  for (const route of ['default-v4', 'default-v6', 'default'])
    await rejects(() => remove(route, 'system'), refused('DELETE not allowed on system routes'))
  expect((await me().vpcRouterRouteList({ query })).items).toEqual([])
  const { items } = await me().vpcRouterRouteList({ query: system })
  expect(items.map(({ name, kind }) => [name, kind])).toEqual([
    ['default', 'vpc_subnet'],
    ['default-v4', 'default'],
    ['default-v6', 'default'],
  ])
})

it('a route follows a subnet that is renamed', async () => {
  await create('way', { type: 'subnet', value: 'default' })
  await me().vpcSubnetUpdate({ params: { subnet: 'default' }, query: inVpc, body: { name: 'main' } })
  const route = await me().vpcRouterRouteView({ params: { route: 'way' }, query })
  expect(route.destination).toEqual({ type: 'subnet', value: 'main' })
})
