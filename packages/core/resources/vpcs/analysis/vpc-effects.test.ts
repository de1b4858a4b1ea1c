import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
  await addInstance(w, 'web', { start: true })
  await w.advance(10_000)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const inVpc = { ...query, vpc: 'default' }
const atGateway = { ...inVpc, gateway: 'default' }
const me = () => w.as('projectCollaborator')
const named = (name: string) => ({ name, description: '' })
const effects = () => me().vpcEffects({ params: { vpc: 'default' }, query })
const reachability = (instance = 'web') => me().instanceReachability({ params: { instance }, query })
type Change = Parameters<Client<Operations>['vpcPreview']>[0]['body']['change']
const preview = (change: Change) => me().vpcPreview({ params: { vpc: 'default' }, query, body: { change } })
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
const attach = (instance = 'web') => me().instanceEphemeralIpAttach({ params: { instance }, query, body: {} })

describe('rules without effect', () => {
  it('are none in a new VPC', async () => {
    expect(await effects()).toEqual({ rules: [], routes: [] })
  })

  it('are named with the reason', async () => {
    await me().vpcSubnetCreate({
      query: inVpc,
      body: { ...named('empty'), ipv4Block: '10.1.0.0/24', ipv6Block: null },
    })
    const later = { type: 'instance' as const, value: 'later' }
    const { rules: stored } = await rules(
      rule('all-tcp', { priority: 5, filters: { protocols: [{ type: 'tcp' }] } }),
      rule('disabled', { status: 'disabled' }),
      rule('fine', { filters: { protocols: [{ type: 'udp' }] } }),
      rule('late-ssh', {
        priority: 6,
        action: 'deny',
        filters: { protocols: [{ type: 'tcp' }], ports: ['22'] },
      }),
      rule('no-host', { filters: { hosts: [later] } }),
      rule('no-interface', { targets: [{ type: 'subnet', value: 'empty' }] }),
      rule('no-target', { targets: [later] }),
      rule('some-missing', {
        targets: [{ type: 'instance', value: 'web' }, later],
        filters: {
          hosts: [
            { type: 'ip', value: '1.2.3.4' },
            { type: 'subnet', value: 'gone' },
            { type: 'instance', value: 'a' },
            { type: 'instance', value: 'b' },
          ],
        },
      }),
      rule('ports', { filters: { protocols: [{ type: 'icmp', value: null }], ports: ['22'] } }),
    )
    const found = (await effects()).rules.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    expect(found.map(({ name, effect, reason }) => [name, effect, reason])).toEqual([
      ['disabled', 'none', 'disabled'],
      ['late-ssh', 'none', 'shadowed'],
      ['no-host', 'none', 'no_host'],
      ['no-interface', 'none', 'no_interface'],
      ['no-target', 'none', 'no_target'],
      ['ports', 'partial', 'ports_ignored'],
      ['some-missing', 'partial', 'names_missing'],
    ])
    expect(found.at(-1)?.text).toBe(
      "Some of its references do not exist in the VPC: instance 'later', subnet 'gone', instance 'a' and 1 more.",
    )
    const idOf = (name: string) => stored.find((one) => one.name === name)?.id
    expect(found.find(({ name }) => name === 'late-ssh')).toMatchObject({
      ruleId: idOf('late-ssh'),
      byRuleId: idOf('all-tcp'),
      text: "Rule 'all-tcp' (priority 5) comes first and decides about all packets that it could match.",
    })
  })

  it('a rule for more interfaces than the one before it has an effect', async () => {
    await addInstance(w, 'db')
    const targets = [{ type: 'instance' as const, value: 'web' }]
    await rules(rule('web', { priority: 1, targets }), rule('all', { priority: 2 }))
    expect((await effects()).rules).toEqual([])
    await rules(rule('all', { priority: 1 }), rule('web', { priority: 2, targets }))
    expect((await effects()).rules.map(({ name, reason }) => [name, reason])).toEqual([['web', 'shadowed']])
  })
})

describe('routes without effect', () => {
  type Way = Pick<Parameters<Client<Operations>['vpcRouterRouteCreate']>[0]['body'], 'destination' | 'target'>
  const net = (value: string): Way['destination'] => ({ type: 'ip_net', value })
  const route = (name: string, destination: Way['destination'], target: Way['target']) =>
    me().vpcRouterRouteCreate({
      query: { ...inVpc, router: 'edge' },
      body: { ...named(name), destination, target },
    })
  const found = async () =>
    Object.fromEntries((await effects()).routes.map(({ name, reason }) => [name, reason]))

  it('are named with the reason', async () => {
    await me().vpcRouterCreate({ query: inVpc, body: named('edge') })
    await me().internetGatewayCreate({ query: inVpc, body: named('bare') })
    await route('fine', net('10.4.0.0/16'), { type: 'drop' })
    await route('no-destination', { type: 'subnet', value: 'none' }, { type: 'drop' })
    await route('no-target', net('10.5.0.0/16'), { type: 'instance', value: 'none' })
    await route('other-family', net('fd00:1::/64'), { type: 'instance', value: 'web' })
    await route('first', { type: 'subnet', value: 'default' }, { type: 'drop' })
    await route('bare', net('10.6.0.0/16'), { type: 'internet_gateway', value: 'bare' })
    await route('unassigned', net('10.7.0.0/16'), { type: 'ip', value: '172.30.0.99' })
    await route('refused', net('10.8.0.0/16'), { type: 'instance', value: 'web' })
    expect(await found()).toMatchObject({ fine: 'router_unused', 'no-target': 'no_target' })
    const params = { subnet: 'default' }
    await me().vpcSubnetUpdate({ params, query: inVpc, body: { customRouter: 'edge' } })
    expect(await found()).toEqual({
      'no-destination': 'no_destination',
      'no-target': 'no_target',
      bare: 'nothing_attached',
      unassigned: 'nobody_has_target',
      refused: 'not_accepted',
      'other-family': 'other_family',
      default: 'overridden',
    })
  })

  it('the way out without a pool', async () => {
    await me().internetGatewayIpPoolDelete({
      params: { pool: 'default' },
      query: { ...atGateway, cascade: true },
    })
    expect(await found()).toEqual({ 'default-v4': 'nothing_attached', 'default-v6': 'nothing_attached' })
  })
})

describe('an instance', () => {
  it('reaches the outside with its address, and cannot be reached by that', async () => {
    const { running, outbound, inbound } = await reachability()
    expect(running).toBe(true)
    expect(outbound).toMatchObject({ result: 'pass', reason: 'address', address: { kind: 'snat' } })
    expect(outbound.text).toMatch(/^Instance 'web' leaves by gateway 'default' with its SNAT address/)
    expect(inbound).toEqual({
      result: 'drop',
      reason: 'no_external_address',
      text: "Instance 'web' has no address that can be reached from outside. Attach an ephemeral or floating IP.",
      addresses: [],
      open: [],
    })
  })

  it('can be reached at its external addresses by what rules allow', async () => {
    const { ip } = await attach()
    const { inbound } = await reachability()
    expect(inbound).toMatchObject({
      result: 'pass',
      text: `It can be reached at ${ip}: TCP 22, ICMP.`,
      addresses: [{ kind: 'ephemeral', ip }],
      open: [
        { protocol: 'tcp', firstPort: 22, lastPort: 22 },
        { protocol: 'icmp', firstPort: null, lastPort: null },
      ],
    })
    await rules(
      rule('few', { priority: 1, action: 'deny', filters: { ports: ['81-82'] } }),
      rule('web', { filters: { ports: ['80-90'], protocols: [{ type: 'tcp' }] } }),
    )
    expect((await reachability()).inbound.open).toEqual([
      { protocol: 'tcp', firstPort: 80, lastPort: 80 },
      { protocol: 'tcp', firstPort: 83, lastPort: 90 },
    ])
    await rules(rule('office', { filters: { hosts: [{ type: 'ip_net', value: '198.51.100.0/24' }] } }))
    expect((await reachability()).inbound.text).toBe(
      `It can be reached at ${ip}, only from the hosts that rules name.`,
    )
    await rules()
    expect((await reachability()).inbound).toMatchObject({ result: 'drop', reason: 'no_rule' })
  })

  it('is not reached at addresses that no host leads to it, nor reaches the outside with them', async () => {
    const { ip } = await attach()
    const mode = { networkMode: 'enforced', tunnelAddress: '10.0.9.1' }
    const [own, other] = (await w.as('fleetAdmin').sledList({ query: {} })).items.toSorted((a) =>
      a.capacity?.threads.reserved ? -1 : 1,
    )
    const says = (sled: typeof own, host: object) =>
      inDb(w, (tx) =>
        tx
          .updateTable('sled')
          .set({ hostJson: JSON.stringify(host) })
          .where('id', '=', sled?.id ?? '')
          .execute(),
      )
    const open = async () => {
      const { outbound, inbound } = await reachability()
      return [outbound.result, inbound.result]
    }
    const none = [
      { ...mode, external: [] },
      { ...mode, external: [] },
    ] as const
    await says(own, none[0])
    await says(other, none[1])
    const text = `No host leads ${ip} to guests. Ask an operator to name the block with --external on a host.`
    expect(await reachability()).toMatchObject({
      outbound: { result: 'drop', text, address: null },
      inbound: { result: 'drop', text, addresses: [], open: [] },
    })
    await says(own, { ...mode, external: [`${ip}/32`] })
    expect(await open()).toEqual(['pass', 'pass'])
    await says(own, none[0])
    await says(other, { ...mode, external: ['0.0.0.0/0'] })
    expect(await open()).toEqual(['pass', 'pass'])
    await says(own, { networkMode: 'enforced', external: [] })
    expect(await open()).toEqual(['drop', 'drop'])
    await says(own, { networkMode: 'enforced' })
    expect(await open()).toEqual(['pass', 'pass'])
    await says(own, { networkMode: 'simulated', external: [] })
  })

  it('is answered as if it ran', async () => {
    await addInstance(w, 'idle')
    expect(await reachability('idle')).toMatchObject({ running: false, outbound: { result: 'pass' } })
    await rules(rule('out', { direction: 'outbound', action: 'deny' }))
    expect(await reachability('idle')).toMatchObject({
      outbound: { result: 'drop', text: "Rule 'out' (priority 100) denies it to leave instance 'idle'." },
    })
  })

  it('without interfaces reaches nothing', async () => {
    await addInstance(w, 'alone', { networkInterfaces: { type: 'none' } })
    expect(await reachability('alone')).toMatchObject({
      vpcId: null,
      outbound: { reason: 'no_interface' },
      inbound: { reason: 'no_interface' },
    })
  })
})

describe('a preview', () => {
  const losing = async (change: Change) =>
    (await preview(change)).instances.map(({ name, losses }) => [name, losses])

  it('names the running instances that lose SSH, from where', async () => {
    await addInstance(w, 'idle')
    expect(await losing({ type: 'firewall_rules', rules: [] })).toEqual([['web', ['ssh_from_inside']]])
    await attach()
    expect(await losing({ type: 'firewall_rules', rules: [] })).toEqual([
      ['web', ['ssh_from_anywhere', 'ssh_from_inside']],
    ])
    const office = { type: 'ip_net' as const, value: '198.51.100.0/24' }
    const fromOffice = rule('office', { filters: { hosts: [office], ports: ['22'] } })
    const inside = rule('inside', { filters: { hosts: [{ type: 'vpc', value: 'default' }] } })
    expect(await losing({ type: 'firewall_rules', rules: [fromOffice, inside] })).toEqual([
      ['web', ['ssh_from_anywhere']],
    ])
    await rules(fromOffice, inside)
    expect(await losing({ type: 'firewall_rules', rules: [inside] })).toEqual([['web', ['ssh_from_named']]])
    expect(await losing({ type: 'firewall_rules', rules: [fromOffice, inside] })).toEqual([])
  })

  it('names those that lose their way out', async () => {
    const [pool] = (await me().internetGatewayIpPoolList({ query: atGateway })).items
    const [gateway] = (await me().internetGatewayList({ query: inVpc })).items
    const expected = [['web', ['way_out']]]
    expect(await losing({ type: 'detach_ip_pool', id: pool?.id ?? '' })).toEqual(expected)
    expect(await losing({ type: 'delete_gateway', id: gateway?.id ?? '' })).toEqual(expected)
    const system = (await me().vpcRouterList({ query: inVpc })).items[0]?.name ?? ''
    const { items } = await me().vpcRouterRouteList({ query: { ...inVpc, router: system } })
    const way = items.find(({ name }) => name === 'default-v4')?.id ?? ''
    expect(await losing({ type: 'delete_route', id: way })).toEqual(expected)
    const [lost] = (await preview({ type: 'delete_route', id: way })).instances
    expect(lost?.text).toBe('It loses its way out.')
    await me().internetGatewayIpAddressCreate({
      query: atGateway,
      body: { ...named('one'), address: '198.51.100.7' },
    })
    const [address] = (await me().internetGatewayIpAddressList({ query: atGateway })).items
    expect(await losing({ type: 'detach_ip_address', id: address?.id ?? '' })).toEqual([])
  })

  it('also shows what would have no effect, and a trace as if the change were made', async () => {
    const change = { type: 'firewall_rules' as const, rules: [rule('off', { status: 'disabled' })] }
    expect((await preview(change)).effects.rules).toMatchObject([{ name: 'off', reason: 'disabled' }])
    await addInstance(w, 'db', { start: true })
    await w.advance(10_000)
    const body = {
      source: { type: 'instance' as const, value: 'db' },
      destination: { type: 'instance' as const, value: 'web' },
      protocol: { type: 'tcp' as const, port: 22 },
    }
    const request = { params: { vpc: 'default' }, query }
    expect((await me().vpcTrace({ ...request, body })).result).toBe('pass')
    expect((await me().vpcTrace({ ...request, body: { ...body, change } })).result).toBe('drop')
    // The VPC has not changed.
    expect((await me().vpcFirewallRulesView({ query: inVpc })).rules).toHaveLength(3)
  })

  describe('of a name that goes or changes', () => {
    const found = async (change: Change) =>
      (await preview(change)).references.map(({ name, kind, router, hasEffect, text }) => ({
        [`${kind} ${router === null ? name : `${router}/${name}`}`]: hasEffect ? text : `nothing: ${text}`,
      }))
    const web = { type: 'instance' as const, value: 'web' }
    const spare = { type: 'subnet' as const, value: 'spare' }
    let subnet: string
    let nic: { id: string; instanceId: string }
    beforeEach(async () => {
      const body = { ...named('spare'), ipv4Block: '10.1.0.0/24', ipv6Block: null }
      subnet = (await me().vpcSubnetCreate({ query: inVpc, body })).id
      const list = await me().instanceNetworkInterfaceList({ query: { ...query, instance: 'web' } })
      nic = list.items[0] ?? { id: '', instanceId: '' }
      await me().vpcRouterCreate({ query: inVpc, body: named('edge') })
      const route = (
        name: string,
        way: Pick<
          Parameters<Client<Operations>['vpcRouterRouteCreate']>[0]['body'],
          'destination' | 'target'
        >,
      ) =>
        me().vpcRouterRouteCreate({ query: { ...inVpc, router: 'edge' }, body: { ...named(name), ...way } })
      await route('to-spare', { destination: spare, target: { type: 'drop' } })
      await route('via-web', { destination: { type: 'ip_net', value: '10.9.0.0/16' }, target: web })
      await rules(
        rule('both', { targets: [web, { type: 'vpc', value: 'default' }] }),
        rule('from-spare', { filters: { hosts: [spare] } }),
        rule('to-web', { targets: [web], priority: 50 }),
      )
    })
    const noTarget = 'nothing: None of its targets exists: no subnet or instance of the VPC has these names.'

    it('says what the rules and routes that have it do afterwards', async () => {
      expect(await found({ type: 'delete_subnet', id: subnet.toUpperCase() })).toEqual([
        {
          'firewall_rule from-spare':
            'nothing: None of its hosts exists: no subnet or instance of the VPC has these names.',
        },
        {
          'route edge/to-spare':
            'nothing: Its destination does not exist: no subnet of the VPC has this name.',
        },
      ])
      await addInstance(w, 'db')
      const gone = [
        { 'firewall_rule both': 'Its other references stay in effect.' },
        { 'firewall_rule to-web': noTarget },
        { 'route edge/via-web': 'nothing: Its target does not exist in the VPC.' },
      ]
      expect(await found({ type: 'delete_instances', ids: [nic.instanceId] })).toEqual(gone)
      expect(await found({ type: 'delete_interface', id: nic.id })).toEqual(gone)
      // The forecast matches the real effect.
      await me().vpcSubnetDelete({ params: { subnet: 'spare' }, query: inVpc })
      expect((await effects()).rules.map(({ name, reason }) => [name, reason])).toContainEqual([
        'from-spare',
        'no_host',
      ])
    })

    it('references to its private address are listed too', async () => {
      await addInstance(w, 'db')
      const { ip } = (await me().instanceNetworkInterfaceList({ query: { ...query, instance: 'web' } }))
        .items[0]!
      await rules(
        rule('from-address', { filters: { hosts: [{ type: 'ip', value: ip }] } }),
        rule('from-other', { filters: { hosts: [{ type: 'ip', value: '172.30.0.99' }] } }),
        rule('to-address', { targets: [{ type: 'ip_net', value: `${ip}/32` }], priority: 50 }),
        rule('to-all', {
          targets: [{ type: 'ip_net', value: '172.30.0.0/22' }],
          action: 'deny',
          priority: 200,
        }),
      )
      await me().vpcRouterRouteCreate({
        query: { ...inVpc, router: 'edge' },
        body: {
          ...named('via-address'),
          destination: { type: 'ip_net', value: '10.8.0.0/16' },
          target: { type: 'ip', value: ip },
        },
      })
      await me().vpcSubnetUpdate({
        params: { subnet: 'default' },
        query: inVpc,
        body: { customRouter: 'edge' },
      })
      const byAddress = [
        {
          'firewall_rule from-address':
            'It stays in effect for the address, for any interface that gets it next.',
        },
        { 'firewall_rule to-address': 'nothing: No interface of the VPC is among its targets.' },
        { 'route edge/via-address': 'nothing: No interface of the VPC has the address of its target.' },
      ]
      const byName = { 'route edge/via-web': 'nothing: Its target does not exist in the VPC.' }
      const gone = [...byAddress, byName]
      expect(await found({ type: 'delete_instances', ids: [nic.instanceId] })).toEqual(gone)
      expect(await found({ type: 'delete_interface', id: nic.id })).toEqual(gone)
      const body = { ...named('second'), subnetName: 'spare', vpcName: 'default' }
      await me().instanceStop({ params: { instance: 'web' }, query })
      await w.advance(10_000)
      await me().instanceNetworkInterfaceCreate({ query: { ...query, instance: 'web' }, body })
      // Its name stays.
      expect(await found({ type: 'delete_interface', id: nic.id })).toEqual(byAddress)
    })

    it('an instance that keeps another interface in the VPC keeps its name', async () => {
      const body = { ...named('second'), subnetName: 'spare', vpcName: 'default' }
      await me().instanceStop({ params: { instance: 'web' }, query })
      await w.advance(10_000)
      await me().instanceNetworkInterfaceCreate({ query: { ...query, instance: 'web' }, body })
      expect(await found({ type: 'delete_interface', id: nic.id })).toEqual([])
    })

    it('rules and routes follow a new name, without losses', async () => {
      const follows = 'It follows the new name.'
      expect(await found({ type: 'rename_vpc' })).toEqual([{ 'firewall_rule both': follows }])
      expect(await found({ type: 'rename_subnet', id: subnet })).toEqual([
        { 'firewall_rule from-spare': follows },
        { 'route edge/to-spare': follows },
      ])
      expect(await losing({ type: 'rename_vpc' })).toEqual([])
      await me().vpcSubnetUpdate({ params: { subnet: 'spare' }, query: inVpc, body: { name: 'other' } })
      expect((await effects()).rules.map(({ reason }) => reason)).not.toContain('no_host')
    })
  })

  it('refuses changes that could not be stored, and resources outside of the VPC', async () => {
    const other = rule('other', { targets: [{ type: 'vpc', value: 'other' }] })
    await expect(preview({ type: 'firewall_rules', rules: [other] })).rejects.toMatchObject({ status: 400 })
    const { id: used } = await me().vpcSubnetView({ params: { subnet: 'default' }, query: inVpc })
    await expect(preview({ type: 'delete_subnet', id: used })).rejects.toMatchObject({ status: 400 })
    const id = '00000000-0000-4000-8000-000000000000'
    for (const type of [
      'detach_ip_pool',
      'detach_ip_address',
      'delete_gateway',
      'delete_route',
      'delete_subnet',
      'delete_interface',
      'rename_subnet',
    ] as const)
      await expect(preview({ type, id })).rejects.toMatchObject({ status: 404 })
  })
})

it.each(['noRole', 'stranger'] as const)('%s gets 404', async (who) => {
  const params = { vpc: 'default' }
  const notFound = { status: 404 }
  await expect(w.as(who).vpcEffects({ params, query })).rejects.toMatchObject(notFound)
  await expect(
    w.as(who).vpcPreview({ params, query, body: { change: { type: 'firewall_rules', rules: [] } } }),
  ).rejects.toMatchObject(notFound)
  await expect(w.as(who).instanceReachability({ params: { instance: 'web' }, query })).rejects.toMatchObject(
    notFound,
  )
})
