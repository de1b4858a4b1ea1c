import { limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const inVpc = { ...query, vpc: 'default' }
const me = () => w.as('projectCollaborator')
const named = (name: string) => ({ name, description: '' })
const topology = (vpc = 'default') => w.as('projectViewer').vpcTopology({ params: { vpc }, query })
const addSubnet = (name: string, ipv4Block: string) =>
  me().vpcSubnetCreate({ query: inVpc, body: { ...named(name), ipv4Block, ipv6Block: null } })

describe('the topology of a VPC', () => {
  it('of a new one is a gateway, a router that leads to it, and an empty subnet', async () => {
    const { gateways, routers, subnets, interfaces, totals } = await topology()
    expect(gateways).toMatchObject([{ name: 'default', totalIpPools: 1, totalIpAddresses: 0 }])
    expect(routers).toMatchObject([
      { name: 'system', kind: 'system', totalRoutes: 3, gatewayIds: [gateways[0]?.id] },
    ])
    expect(subnets).toMatchObject([{ name: 'default', customRouterId: null, totalInterfaces: 0 }])
    expect(interfaces).toEqual([])
    expect(totals).toEqual({ gateways: 1, routers: 1, subnets: 1, interfaces: 0, probes: 0 })
  })

  it('has each interface with its subnet, address and the state of its instance', async () => {
    const back = await addSubnet('back', '10.1.0.0/24')
    await addInstance(w, 'web', { start: true })
    const nic = (subnetName: string, i: number) => ({ ...named(`net${i}`), vpcName: 'default', subnetName })
    await addInstance(w, 'gate', {
      networkInterfaces: { type: 'create', params: [nic('default', 0), nic('back', 1)] },
    })
    await w.advance(10_000)
    await me().instanceEphemeralIpAttach({ params: { instance: 'web' }, query, body: {} })
    const { interfaces, subnets } = await topology()
    const shown = interfaces.map(({ instanceName, name, runState, primary }) => [
      instanceName,
      name,
      runState,
      primary,
    ])
    expect(shown).toEqual([
      ['gate', 'net0', 'stopped', true],
      ['gate', 'net1', 'stopped', false],
      ['web', 'net0', 'running', true],
    ])
    expect(interfaces[1]).toMatchObject({ subnetId: back.id, ip: '10.1.0.5', externalIps: [] })
    const { items } = await me().instanceExternalIpList({ params: { instance: 'web' }, query })
    const ephemeral = items.filter(({ kind }) => kind === 'ephemeral').map(({ ip }) => ip)
    expect(interfaces[2]?.externalIps).toEqual(ephemeral)
    expect(subnets.map(({ name, totalInterfaces }) => [name, totalInterfaces])).toEqual([
      ['back', 1],
      ['default', 2],
    ])
  })

  it('has the gateways that the routes of each router lead to, also of a router that no subnet uses', async () => {
    await me().vpcRouterCreate({ query: inVpc, body: named('edge') })
    const way = await me().internetGatewayCreate({ query: inVpc, body: named('partner') })
    await me().internetGatewayIpAddressCreate({
      query: { ...inVpc, gateway: 'partner' },
      body: { ...named('out'), address: '203.0.113.200' },
    })
    const route = (name: string, gateway: string, net: string) =>
      me().vpcRouterRouteCreate({
        query: { ...inVpc, router: 'edge' },
        body: {
          ...named(name),
          destination: { type: 'ip_net', value: net },
          target: { type: 'internet_gateway', value: gateway },
        },
      })
    await route('a', 'partner', '198.51.100.0/24')
    await route('b', 'partner', '192.0.2.0/24')
    await route('c', 'missing', '192.0.3.0/24')
    const before = await topology()
    expect(before.routers[1]).toMatchObject({
      name: 'edge',
      kind: 'custom',
      totalRoutes: 3,
      gatewayIds: [way.id],
    })
    expect(before.gateways[1]).toMatchObject({ name: 'partner', totalIpPools: 0, totalIpAddresses: 1 })
    expect(before.subnets[0]?.customRouterId).toBeNull()
    await me().vpcSubnetUpdate({
      params: { subnet: 'default' },
      query: inVpc,
      body: { customRouter: 'edge' },
    })
    expect((await topology()).subnets[0]?.customRouterId).toBe(before.routers[1]?.id)
  })

  it('lists a limited number of each kind, and their total', async () => {
    const { subnets: most } = limits.topology
    const vpc = await me().vpcView({ params: { vpc: 'default' }, query })
    await inDb(w, async (tx) => {
      const [row] = await tx.selectFrom('vpcSubnet').selectAll().where('vpcId', '=', vpc.id).execute()
      if (!row) throw new Error('no subnet')
      for (let i = 0; i < most; i++) {
        const name = `n-${String(i).padStart(3, '0')}`
        const own = { id: w.world.ids.uuid(), name, ipv4Block: `10.9.${i}.0/24` }
        await tx
          .insertInto('vpcSubnet')
          .values({ ...row, ...own })
          .execute()
      }
    })
    const { subnets, totals } = await topology()
    expect(subnets.map(({ name }) => name)).toHaveLength(most)
    expect(subnets[0]?.name).toBe('default')
    expect(totals.subnets).toBe(most + 1)
  })

  it('needs the permission to see the VPC', async () => {
    await expect(w.as('stranger').vpcTopology({ params: { vpc: 'default' }, query })).rejects.toMatchObject({
      status: 404,
    })
  })
})
