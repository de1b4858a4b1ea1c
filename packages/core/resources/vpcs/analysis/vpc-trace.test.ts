import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addInstance } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
  await me().vpcSubnetCreate({
    query: inVpc,
    body: { ...named('back'), ipv4Block: '10.1.0.0/24', ipv6Block: null },
  })
  await add('web', 'default')
  await add('db', 'back')
  await w.advance(10_000)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const project = { project: 'demo' }
const inVpc = { ...project, vpc: 'default' }
const me = () => w.as('projectCollaborator')
const named = (name: string) => ({ name, description: '' })
const add = (name: string, subnetName: string, start = true) =>
  addInstance(w, name, {
    start,
    networkInterfaces: { type: 'create', params: [{ ...named('net0'), vpcName: 'default', subnetName }] },
  })
type Question = Parameters<Client<Operations>['vpcTrace']>[0]['body']
type End = Question['source']
const instance = (value: string): End => ({ type: 'instance', value })
const ip = (value: string): End => ({ type: 'ip', value })
const tcp = (port: number): Question['protocol'] => ({ type: 'tcp', port })
const ask = (source: End, destination: End, more: Partial<Question> = {}) =>
  me().vpcTrace({
    params: { vpc: 'default' },
    query: project,
    body: { source, destination, protocol: tcp(22), ...more },
  })
/** The steps, each with its reason, and the result. */
async function brief(source: End, destination: End, more: Partial<Question> = {}) {
  const { steps, result, text } = await ask(source, destination, more)
  expect(text).toBe(steps.at(-1)?.text)
  return [...steps.map(({ type, reason }) => `${type} ${reason}`), result]
}
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
const nicOf = async (name: string) => {
  const { items } = await me().instanceNetworkInterfaceList({ query: { ...project, instance: name } })
  const [nic] = items
  if (!nic) throw new Error(`no interface of ${name}`)
  return nic
}

describe('between instances', () => {
  it('names the rules and the route that decide, with their ids', async () => {
    const [web, db] = [await nicOf('web'), await nicOf('db')]
    const { rules: stored } = await me().vpcFirewallRulesView({ query: inVpc })
    const vpc = await me().vpcView({ params: { vpc: 'default' }, query: project })
    const { result, steps } = await ask(instance('web'), instance('db'))
    expect(result).toBe('pass')
    const at = ({ id, instanceId }: typeof web) => ({ interfaceId: id, instanceId })
    expect(steps).toEqual([
      {
        type: 'source_check',
        result: 'pass',
        reason: 'own_address',
        text: "Instance 'web' sends with its own address 172.30.0.5.",
        ...at(web),
        address: '172.30.0.5',
      },
      {
        type: 'firewall_out',
        result: 'pass',
        reason: 'no_rule',
        text: "No rule denies it to leave instance 'web'.",
        ...at(web),
        rule: null,
      },
      expect.objectContaining({
        type: 'route',
        result: 'pass',
        reason: 'route',
        text: "Route 'back' of router 'system' (10.1.0.0/24) delivers it within the VPC.",
        route: expect.objectContaining({ name: 'back', routerId: vpc.systemRouterId }) as unknown,
      }),
      {
        type: 'firewall_in',
        result: 'pass',
        reason: 'rule',
        text: "Rule 'allow-internal-inbound' (priority 65534) allows it to reach instance 'db'.",
        ...at(db),
        rule: {
          id: stored.find(({ name }) => name === 'allow-internal-inbound')?.id,
          name: 'allow-internal-inbound',
          action: 'allow',
          priority: 65_534,
        },
      },
      {
        type: 'delivery',
        result: 'pass',
        reason: 'delivered',
        text: "Instance 'db' receives it at 10.1.0.5.",
        ...at(db),
        address: '10.1.0.5',
      },
    ])
    const route = steps.find(({ type }) => type === 'route')
    const names = route?.type === 'route' ? route.candidates.map(({ name }) => name) : []
    expect(names).toEqual(['back', 'default-v4'])
  })

  it('ends where the firewall denies it', async () => {
    await rules(rule('out', { direction: 'outbound', action: 'deny', filters: { ports: ['22'] } }))
    expect(await brief(instance('web'), instance('db'))).toEqual([
      'source_check own_address',
      'firewall_out rule',
      'drop',
    ])
    const way = [
      'source_check own_address',
      'firewall_out no_rule',
      'route route',
      'firewall_in no_rule',
      'drop',
    ]
    expect(await brief(instance('web'), instance('db'), { protocol: tcp(23) })).toEqual(way)
    const { text } = await ask(instance('web'), instance('db'), { protocol: tcp(23) })
    expect(text).toBe("No rule allows it to reach instance 'db'. Add an inbound rule that does.")
  })

  it.each<[string, Question['protocol'], 'pass' | 'drop']>([
    ['the port', tcp(80), 'pass'],
    ['another port', tcp(81), 'drop'],
    ['another protocol', { type: 'udp', port: 80 }, 'drop'],
    ['the type and code', { type: 'icmp', icmpType: 3, code: 4 }, 'pass'],
    ['another code', { type: 'icmp', icmpType: 3, code: 5 }, 'drop'],
    ['neither TCP, UDP nor ICMP', { type: 'other' }, 'drop'],
  ])('asks for %s', async (_, protocol, expected) => {
    await rules(
      rule('web', { filters: { ports: ['80'], protocols: [{ type: 'tcp' }] } }),
      rule('icmp', { filters: { protocols: [{ type: 'icmp', value: { icmpType: 3, code: '4' } }] } }),
    )
    expect((await ask(instance('web'), instance('db'), { protocol })).result).toBe(expected)
  })

  it('an interface and an address mean the same as their instance', async () => {
    const [web, db] = [await nicOf('web'), await nicOf('db')]
    const expected = await ask(instance('web'), instance('db'))
    expect(await ask({ type: 'interface', value: web.id }, { type: 'interface', value: db.id })).toEqual(
      expected,
    )
    expect(await ask(ip(web.ip), ip(db.ip))).toEqual(expected)
    expect(await ask(instance(web.instanceId), instance('db'))).toEqual(expected)
  })

  it('a source needs its own address or a transit IP', async () => {
    const way = (more: Partial<Question>) => brief(instance('web'), instance('db'), more)
    expect(await way({ sourceAddress: '10.9.0.1' })).toEqual(['source_check foreign_address', 'drop'])
    await me().instanceStop({ params: { instance: 'web' }, query: project })
    await w.advance(10_000)
    await me().instanceNetworkInterfaceUpdate({
      params: { interface: 'net0' },
      query: { ...project, instance: 'web' },
      body: { transitIps: ['10.9.0.0/16'] },
    })
    const more = { sourceAddress: '10.9.0.1', assumeRunning: true }
    expect((await way(more))[0]).toBe('source_check transit_ip')
  })

  it('a stopped instance neither sends nor receives, unless it is assumed to run', async () => {
    await add('idle', 'default', false)
    expect(await brief(instance('idle'), instance('db'))).toEqual(['source_check not_running', 'drop'])
    expect((await brief(instance('db'), instance('idle'))).slice(-2)).toEqual([
      'delivery not_running',
      'drop',
    ])
    const both = { assumeRunning: true }
    expect((await ask(instance('db'), instance('idle'), both)).result).toBe('pass')
    expect((await ask(instance('idle'), instance('db'), both)).result).toBe('pass')
  })

  it('an address without an interface', async () => {
    expect((await brief(instance('web'), ip('10.1.0.77'))).slice(-2)).toEqual([
      'delivery nobody_has_address',
      'drop',
    ])
    expect(await brief(ip('10.1.0.77'), instance('web'))).toEqual(['source_check nobody_sends', 'drop'])
  })

  it('a route through an instance needs its transit IPs', async () => {
    await me().vpcRouterCreate({ query: inVpc, body: named('edge') })
    await me().vpcRouterRouteCreate({
      query: { ...inVpc, router: 'edge' },
      body: {
        ...named('via-db'),
        destination: { type: 'ip_net', value: '10.9.0.0/16' },
        target: { type: 'instance', value: 'db' },
      },
    })
    const params = { subnet: 'default' }
    await me().vpcSubnetUpdate({ params, query: inVpc, body: { customRouter: 'edge' } })
    expect((await brief(instance('web'), ip('10.9.0.1'))).slice(-3)).toEqual([
      'route route',
      'delivery not_accepted',
      'drop',
    ])
    await me().instanceStop({ params: { instance: 'db' }, query: project })
    await w.advance(10_000)
    await me().instanceNetworkInterfaceUpdate({
      params: { interface: 'net0' },
      query: { ...project, instance: 'db' },
      body: { transitIps: ['10.9.0.0/16'] },
    })
    await me().instanceStart({ params: { instance: 'db' }, query: project })
    await w.advance(10_000)
    expect((await brief(instance('web'), ip('10.9.0.1'))).slice(-3)).toEqual([
      'firewall_in rule',
      'delivery must_forward',
      'pass',
    ])
  })
})

describe('to the outside', () => {
  it('says with which address, of which pool, by which gateway', async () => {
    const { steps, result } = await ask(instance('web'), ip('8.8.8.8'))
    const [gateway] = (await me().internetGatewayList({ query: inVpc })).items
    expect(result).toBe('pass')
    expect(steps.slice(2).map(({ type }) => type)).toEqual(['route', 'gateway', 'delivery'])
    expect(steps[3]).toMatchObject({
      reason: 'address',
      gatewayId: gateway?.id,
      address: { kind: 'snat', ipPoolId: w.ids['public'] },
    })
    expect(steps[3]?.text).toMatch(
      /^Instance 'web' leaves by gateway 'default' with its SNAT address [\d.]+\.$/,
    )
  })

  it('names the missing part', async () => {
    const way = async () => {
      const { steps, text } = await ask(instance('web'), ip('8.8.8.8'))
      return [steps.at(-1)?.reason, text]
    }
    const pool = { params: { pool: 'default' }, query: { ...inVpc, gateway: 'default', cascade: true } }
    await me().internetGatewayIpPoolDelete(pool)
    expect(await way()).toEqual(['nothing_attached', "No pool is attached to gateway 'default'. Attach one."])
    await me().internetGatewayIpAddressCreate({
      query: { ...inVpc, gateway: 'default' },
      body: { ...named('one'), address: '198.51.100.7' },
    })
    expect((await way())[0]).toBe('not_covered')
    await me().internetGatewayDelete({
      params: { gateway: 'default' },
      query: { ...inVpc, cascade: true },
    })
    expect(await way()).toEqual([
      'no_route',
      'No route leads to 8.8.8.8. Add one to the custom router of the subnet.',
    ])
  })
})

describe('from the outside', () => {
  const outside = ip('198.51.100.1')

  it('needs an external address and a rule', async () => {
    expect(await brief(outside, instance('web'))).toEqual(['external_address no_external_address', 'drop'])
    expect(await brief(outside, ip('172.30.0.5'))).toEqual(['external_address no_external_address', 'drop'])
    const { ip: address } = await me().instanceEphemeralIpAttach({
      params: { instance: 'web' },
      query: project,
      body: {},
    })
    await w.settle()
    const way = ['external_address address', 'firewall_in rule', 'delivery delivered', 'pass']
    expect(await brief(outside, instance('web'))).toEqual(way)
    expect(await brief(outside, ip(address))).toEqual(way)
    expect((await brief(outside, ip(address), { protocol: tcp(80) })).slice(-2)).toEqual([
      'firewall_in no_rule',
      'drop',
    ])
    // An instance of the VPC takes the way out and in again.
    expect((await brief(instance('db'), ip(address))).slice(2)).toEqual([
      'route route',
      'gateway address',
      ...way,
    ])
  })

  it('reaches no stopped instance', async () => {
    await add('idle', 'default', false)
    await me().instanceEphemeralIpAttach({ params: { instance: 'idle' }, query: project, body: {} })
    expect((await brief(outside, instance('idle'))).slice(-2)).toEqual(['delivery not_running', 'drop'])
  })
})

describe('the question', () => {
  it('names ends that exist and that are in the VPC', async () => {
    await addInstance(w, 'alone', { networkInterfaces: { type: 'none' } })
    const none = '00000000-0000-4000-8000-000000000000'
    await expect(ask(instance('none'), instance('db'))).rejects.toMatchObject({ status: 404 })
    await expect(ask(instance(none), instance('db'))).rejects.toMatchObject({ status: 404 })
    await expect(ask({ type: 'interface', value: none }, instance('db'))).rejects.toMatchObject({
      status: 404,
    })
    await expect(ask(instance('alone'), instance('db'))).rejects.toMatchObject({
      status: 400,
      message: 'instance "alone" has no network interface in VPC "default"',
    })
    await expect(ask(instance('web'), instance('db'), { protocol: tcp(0) })).rejects.toMatchObject({
      status: 400,
    })
  })

  it('needs the viewer role on the project', async () => {
    const body = { source: instance('web'), destination: instance('db'), protocol: tcp(22) }
    const request = { params: { vpc: 'default' }, query: project, body }
    expect((await w.as('projectViewer').vpcTrace(request)).result).toBe('pass')
    for (const who of ['noRole', 'stranger'] as const)
      await expect(w.as(who).vpcTrace(request)).rejects.toMatchObject({ status: 404 })
  })
})
