import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { forSled, networkOf, type VpcNetwork } from './model.ts'
import { arrive, leave, type Packet } from './packet.ts'
import { readVpc } from './rows.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
  await me().vpcSubnetCreate({
    query: inVpc,
    body: { ...named('back'), ipv4Block: '10.1.0.0/24', ipv6Block: null },
  })
  await add('web', 'default')
  await add('db', 'back')
})
afterEach(async () => {
  expect(world.errors).toEqual([])
  await world.close()
})

const project = { project: 'demo' }
const inVpc = { ...project, vpc: 'default' }
const me = () => world.as('projectCollaborator')
const named = (name: string) => ({ name, description: '' })
const add = (name: string, subnetName: string, start = true) =>
  addInstance(world, name, {
    start,
    networkInterfaces: { type: 'create', params: [{ ...named('net0'), vpcName: 'default', subnetName }] },
  })
type Rule = NonNullable<Parameters<Client<Operations>['vpcFirewallRulesUpdate']>[0]['body']['rules']>[number]
const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  ...named(name),
  status: 'enabled',
  direction: 'inbound',
  targets: [],
  filters: {},
  action: 'allow',
  priority: 100,
  ...more,
})
const rules = (...list: Rule[]) => me().vpcFirewallRulesUpdate({ query: inVpc, body: { rules: list } })
const routers = (name: string) => me().vpcRouterCreate({ query: inVpc, body: named(name) })
type Way = Parameters<Client<Operations>['vpcRouterRouteCreate']>[0]['body']
const route = (name: string, way: Pick<Way, 'destination' | 'target'>, router = 'edge') =>
  me().vpcRouterRouteCreate({ query: { ...inVpc, router }, body: { ...named(name), ...way } })
const useRouter = (subnet: string, customRouter: string) =>
  me().vpcSubnetUpdate({ params: { subnet }, query: inVpc, body: { customRouter } })

async function model(): Promise<VpcNetwork> {
  await world.settle()
  const { id } = await me().vpcView({ params: { vpc: 'default' }, query: project })
  const rows = await inDb(world, (tx) => readVpc(tx, id))
  if (!rows) throw new Error('no rows')
  return networkOf(rows)
}
/** The interface of an instance, and the network as its sled gets it. */
async function at(instance: string) {
  const network = await model()
  const { id } = await me().instanceView({ params: { instance }, query: project })
  const found = network.interfaces.find((nic) => nic.instanceId === id)
  if (!found) throw new Error(`no interface of ${instance}`)
  const pushed = forSled(network, found.sledId ?? '', 7)
  const nic = pushed.interfaces.find((one) => one.id === found.id) ?? found
  return { network, pushed, nic }
}
const tcp = (port: number): Packet['protocol'] => ({ type: 'tcp', port })
const ping: Packet['protocol'] = { type: 'icmp', icmpType: 8, code: 0 }

/** The decision on an arriving packet: the name of the rule with its action, or `none` with the default action. */
async function arrives(instance: string, source: string, protocol: Packet['protocol'], inside = false) {
  const { pushed, nic } = await at(instance)
  const verdict = arrive(pushed, nic, { source, destination: nic.ip, protocol, inside })
  return typeof verdict === 'string' ? verdict : `${verdict.rule?.name ?? 'none'} ${verdict.action}`
}
async function leaves(instance: string, destination: string, more: Partial<Packet> = {}) {
  const { pushed, nic } = await at(instance)
  return leave(pushed, nic, { source: nic.ip, destination, protocol: tcp(80), ...more })
}

it('a sled gets all rules, routes and peers, and its own interfaces', async () => {
  await add('idle', 'default', false)
  const { network, pushed, nic } = await at('web')
  expect(pushed).toMatchObject({ version: 7, vni: expect.any(Number) as number })
  expect(pushed.interfaces).toContainEqual(nic)
  expect(nic).toMatchObject({
    ip: '172.30.0.5',
    subnet: '172.30.0.0/22',
    slot: 0,
    primary: true,
    transitIps: [],
    dhcp: { hostname: 'web', router: '172.30.0.1' },
  })
  expect(nic.mac).toMatch(/^A8:40:25:/i)
  expect(network.interfaces.map(({ ip }) => ip).toSorted()).toEqual(['10.1.0.5', '172.30.0.5', '172.30.0.6'])
  // An instance without a sled has no place.
  expect(pushed.peers.map(({ ip }) => ip).toSorted()).toEqual(['10.1.0.5', '172.30.0.5'])
  expect(pushed.peers).toContainEqual(expect.objectContaining({ ip: '172.30.0.5', hostname: 'web' }))
  expect(forSled(network, 'another', 7).interfaces).toEqual([])
})

describe('the firewall', () => {
  it('of a new VPC lets in SSH, ICMP, and what comes from inside', async () => {
    expect(await arrives('web', '8.8.8.8', tcp(22))).toBe('allow-ssh allow')
    expect(await arrives('web', '8.8.8.8', ping)).toBe('allow-icmp allow')
    expect(await arrives('web', '8.8.8.8', tcp(80))).toBe('none deny')
    expect(await arrives('web', '10.1.0.5', tcp(80), true)).toBe('allow-internal-inbound allow')
  })

  it('evaluates the lowest number first, deny before allow, and then names', async () => {
    await rules(
      rule('b', { priority: 5 }),
      rule('a', { priority: 5 }),
      rule('z', { priority: 5, action: 'deny', filters: { protocols: [{ type: 'udp' }] } }),
      rule('late', { priority: 6, action: 'deny' }),
      rule('first', { priority: 0, filters: { ports: ['443'] } }),
      rule('off', { priority: 0, status: 'disabled' }),
    )
    const { pushed } = await at('web')
    expect(pushed.rules.map(({ name }) => name)).toEqual(['first', 'z', 'a', 'b', 'late'])
    expect(await arrives('web', '8.8.8.8', tcp(443))).toBe('first allow')
    expect(await arrives('web', '8.8.8.8', { type: 'udp', port: 5 })).toBe('z deny')
    expect(await arrives('web', '8.8.8.8', tcp(5))).toBe('a allow')
  })

  const targets: [string, Rule['targets'], string[]][] = [
    ['none: all', [], ['web', 'db']],
    ['the VPC', [{ type: 'vpc', value: 'default' }], ['web', 'db']],
    ['a subnet', [{ type: 'subnet', value: 'back' }], ['db']],
    ['an instance', [{ type: 'instance', value: 'web' }], ['web']],
    ['an address', [{ type: 'ip', value: '10.1.0.5' }], ['db']],
    ['a network', [{ type: 'ip_net', value: '172.30.0.0/16' }], ['web']],
    [
      'several, also unknown ones',
      [
        { type: 'instance', value: 'web' },
        { type: 'instance', value: 'none' },
        { type: 'ip', value: '10.1.0.5' },
      ],
      ['web', 'db'],
    ],
  ]
  it.each(targets)('a rule for %s', async (_, list, instances) => {
    await rules(rule('one', { targets: list }))
    for (const instance of ['web', 'db'])
      expect(await arrives(instance, '8.8.8.8', tcp(1))).toBe(
        instances.includes(instance) ? 'one allow' : 'none deny',
      )
  })

  it('skips a rule whose targets or hosts do not exist, until one does', async () => {
    const later = { type: 'instance' as const, value: 'later' }
    const { rules: stored } = await rules(
      rule('target', { targets: [later] }),
      rule('host', { filters: { hosts: [later, { type: 'subnet', value: 'none' }] } }),
      rule('off', { status: 'disabled' }),
    )
    const before = await at('web')
    expect(before.pushed.rules).toEqual([])
    expect(stored.map(({ id }) => before.network.idle.rules.get(id))).toEqual([
      'no host',
      'disabled',
      'no target',
    ])
    await add('later', 'back', false)
    const { pushed } = await at('web')
    expect(pushed.rules.map(({ name, hosts }) => [name, hosts])).toEqual([
      ['host', { inside: false, nets: ['10.1.0.6/32'] }],
      ['target', null],
    ])
    expect(await arrives('web', '10.1.0.6', tcp(1), true)).toBe('host allow')
    expect(await arrives('web', '10.1.0.7', tcp(1), true)).toBe('none deny')
  })

  it('ports restrict only TCP and UDP; without protocols they imply both', async () => {
    await rules(rule('one', { filters: { ports: ['80-90'] } }))
    expect(await arrives('web', '8.8.8.8', tcp(90))).toBe('one allow')
    expect(await arrives('web', '8.8.8.8', { type: 'udp', port: 80 })).toBe('one allow')
    expect(await arrives('web', '8.8.8.8', tcp(91))).toBe('none deny')
    expect(await arrives('web', '8.8.8.8', ping)).toBe('none deny')
    await rules(
      rule('two', {
        filters: { ports: ['80'], protocols: [{ type: 'tcp' }, { type: 'icmp', value: null }] },
      }),
    )
    expect(await arrives('web', '8.8.8.8', ping)).toBe('two allow')
    expect(await arrives('web', '8.8.8.8', { type: 'udp', port: 80 })).toBe('none deny')
  })

  it('ICMP may be restricted to a type and codes', async () => {
    await rules(
      rule('one', { filters: { protocols: [{ type: 'icmp', value: { icmpType: 3, code: '1-4' } }] } }),
    )
    const of = (icmpType: number, code: number) => arrives('web', '8.8.8.8', { type: 'icmp', icmpType, code })
    expect([await of(3, 1), await of(3, 4), await of(3, 5), await of(8, 1)]).toEqual([
      'one allow',
      'one allow',
      'none deny',
      'none deny',
    ])
  })

  it('lets out everything unless a rule denies it', async () => {
    await rules(
      rule('out', {
        direction: 'outbound',
        action: 'deny',
        filters: { hosts: [{ type: 'subnet', value: 'back' }] },
      }),
    )
    expect(await leaves('web', '10.1.0.5')).toMatchObject({ type: 'dropped', by: 'firewall' })
    expect(await leaves('db', '172.30.0.5')).toMatchObject({ type: 'inside', verdict: { rule: null } })
  })
})

describe('a packet that leaves', () => {
  it('must have the address of the interface, or one of its transit networks', async () => {
    expect(await leaves('web', '10.1.0.5', { source: '10.1.0.9' })).toEqual({
      type: 'dropped',
      by: 'source check',
    })
    const { id } = await me().instanceView({ params: { instance: 'web' }, query: project })
    await inDb(world, (tx) =>
      tx
        .updateTable('networkInterface')
        .set({ transitIpsJson: '["10.1.0.0/16"]' })
        .where('instanceId', '=', id)
        .execute(),
    )
    expect(await leaves('web', '10.1.0.5', { source: '10.1.0.9' })).toMatchObject({ type: 'inside' })
  })

  it('goes to its peer, or nowhere if no interface has the address', async () => {
    const { id } = await me().instanceView({ params: { instance: 'db' }, query: project })
    const { network } = await at('db')
    const sledId = network.interfaces.find((nic) => nic.instanceId === id)?.sledId
    expect(await leaves('web', '10.1.0.5')).toMatchObject({
      type: 'inside',
      to: { ip: '10.1.0.5', sledId },
      route: { name: 'back' },
    })
    expect(await leaves('web', '10.1.0.99')).toEqual({
      type: 'dropped',
      by: 'no interface has the address',
      address: '10.1.0.99',
      route: expect.objectContaining({ name: 'back' }) as unknown,
      verdict: { action: 'allow', rule: null },
    })
  })

  it('goes out with an address that is attached to the gateway: floating, ephemeral, source NAT', async () => {
    // Addresses change only while an instance neither starts nor stops.
    await add('free', 'default', false)
    const out = () => leaves('free', '8.8.8.8')
    expect(await out()).toMatchObject({
      type: 'outside',
      as: { kind: 'snat' },
      route: { name: 'default-v4' },
    })
    await me().instanceEphemeralIpAttach({ params: { instance: 'free' }, query: project, body: {} })
    expect(await out()).toMatchObject({ as: { kind: 'ephemeral' } })
    await me().floatingIpCreate({ query: project, body: named('front') })
    await me().floatingIpAttach({
      params: { floatingIp: 'front' },
      query: project,
      body: { kind: 'instance', parent: 'free' },
    })
    expect(await out()).toMatchObject({ as: { kind: 'floating' } })
    const { nic } = await at('free')
    expect(nic.nat.inbound.map(({ kind }) => kind)).toEqual(['floating', 'ephemeral'])

    const atGateway = { ...inVpc, gateway: 'default' }
    await me().internetGatewayIpPoolDelete({
      params: { pool: 'default' },
      query: { ...atGateway, cascade: true },
    })
    expect(await out()).toMatchObject({ type: 'dropped', by: 'no address for the gateway' })
    const address = nic.nat.inbound[1]?.ip ?? ''
    await me().internetGatewayIpAddressCreate({ query: atGateway, body: { ...named('one'), address } })
    expect(await out()).toMatchObject({ type: 'outside', as: { kind: 'ephemeral', ip: address } })
  })

  it('goes nowhere without a gateway: its routes have no target', async () => {
    await me().internetGatewayIpPoolDelete({
      params: { pool: 'default' },
      query: { ...inVpc, gateway: 'default', cascade: true },
    })
    await me().internetGatewayDelete({ params: { gateway: 'default' }, query: inVpc })
    const { network } = await at('web')
    expect([...network.idle.routes.values()]).toEqual(['no target', 'no target'])
    expect(await leaves('web', '8.8.8.8')).toEqual({ type: 'dropped', by: 'no route' })
  })
})

describe('routes', () => {
  const droppedBy = (name: string) => ({
    type: 'dropped',
    by: 'drop route',
    route: expect.objectContaining({ name, target: { type: 'drop' } }) as unknown,
    verdict: { action: 'allow', rule: null },
  })

  it('of a custom router are for the subnets that use it', async () => {
    await routers('edge')
    await route('blocked', { destination: { type: 'ip_net', value: '8.8.8.0/24' }, target: { type: 'drop' } })
    await useRouter('default', 'edge')
    expect(await leaves('web', '8.8.8.8')).toEqual(droppedBy('blocked'))
    expect(await leaves('web', '8.8.9.9')).toMatchObject({ type: 'outside' })
    expect(await leaves('db', '8.8.8.8')).toMatchObject({ type: 'outside' })
  })

  it('the longest prefix wins, and custom before system', async () => {
    await routers('edge')
    await useRouter('default', 'edge')
    await route('wide', {
      destination: { type: 'ip_net', value: '0.0.0.0/0' },
      target: { type: 'instance', value: 'db' },
    })
    await route('narrow', { destination: { type: 'ip', value: '8.8.8.8' }, target: { type: 'drop' } })
    expect(await leaves('web', '8.8.8.8')).toEqual(droppedBy('narrow'))
    expect(await leaves('web', '8.8.8.9')).toMatchObject({
      type: 'inside',
      to: { ip: '10.1.0.5' },
      route: { name: 'wide' },
    })
    expect(await leaves('web', '10.1.0.5')).toMatchObject({ route: { name: 'back' } })
  })

  it('to a subnet match both of its blocks', async () => {
    await routers('edge')
    await useRouter('default', 'edge')
    await route('away', { destination: { type: 'subnet', value: 'back' }, target: { type: 'drop' } })
    const { pushed, nic } = await at('web')
    const own = pushed.routeSets[nic.routes]
      ?.filter(({ name }) => name === 'away')
      .map(({ destination }) => destination)
    const back = await me().vpcSubnetView({ params: { subnet: 'back' }, query: inVpc })
    expect(own?.toSorted()).toEqual([back.ipv4Block, back.ipv6Block].toSorted())
    expect(await leaves('web', '10.1.0.5')).toEqual(droppedBy('away'))
  })

  it('whose names do not exist take effect once they do', async () => {
    await routers('edge')
    await useRouter('default', 'edge')
    const { id } = await route('later', {
      destination: { type: 'ip_net', value: '9.0.0.0/8' },
      target: { type: 'instance', value: 'later' },
    })
    expect((await at('web')).network.idle.routes.get(id)).toBe('no target')
    expect(await leaves('web', '9.9.9.9')).toMatchObject({ type: 'outside' })
    await add('later', 'back')
    expect(await leaves('web', '9.9.9.9')).toMatchObject({ type: 'inside', to: { ip: '10.1.0.6' } })
  })
})
