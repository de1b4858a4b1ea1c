import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addInstance } from '#/testing/networks/networks.ts'
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
const me = () => w.as('projectCollaborator')
const named = (name: string) => ({ name, description: '' })
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

describe('the path of a preview', () => {
  type Change = Parameters<Client<Operations>['vpcPreview']>[0]['body']['change']
  type SetRoute = Extract<Change, { type: 'set_route' }>
  const net = (value: string) => ({ type: 'ip_net' as const, value })
  const edge = async () => (await me().vpcRouterCreate({ query: inVpc, body: named('edge') })).id
  const use = (customRouter: string) =>
    me().vpcSubnetUpdate({ params: { subnet: 'default' }, query: inVpc, body: { customRouter } })
  const path = async (change: Omit<SetRoute, 'type' | 'name'>) => {
    const body = { change: { type: 'set_route' as const, name: 'this-route', ...change } }
    return (await me().vpcPreview({ params: { vpc: 'default' }, query, body })).path
  }
  const way = (routerId: string) => ({
    routerId,
    destination: net('10.9.0.0/16'),
    target: { type: 'instance' as const, value: 'web' },
  })

  it('is that of a packet from an instance that uses the router', async () => {
    await addInstance(w, 'app')
    const routerId = await edge()
    expect(await path(way(routerId))).toBeNull()
    await use(routerId)
    const found = await path(way(routerId))
    expect(found).toMatchObject({ name: 'web', destination: '10.9.0.1', totalInstances: 2 })
    const step = found?.trace.steps.find(({ type }) => type === 'route')
    expect(step).toMatchObject({ route: { id: found?.routeId, name: 'this-route' } })
    const dropped = await path({ ...way(routerId), target: { type: 'drop' } })
    expect(dropped?.trace).toMatchObject({ result: 'drop', steps: [{}, {}, { reason: 'drop_route' }] })
    expect((await me().vpcRouterRouteList({ query: { ...inVpc, router: 'edge' } })).items).toEqual([])
  })

  it('is that of a changed route', async () => {
    const routerId = await edge()
    await use(routerId)
    const body = { ...named('out'), destination: net('10.9.0.0/16'), target: { type: 'drop' as const } }
    const { id } = await me().vpcRouterRouteCreate({ query: { ...inVpc, router: 'edge' }, body })
    const gateway = { type: 'internet_gateway' as const, value: 'default' }
    const found = await path({ id, routerId, destination: net('0.0.0.0/0'), target: gateway })
    expect(found).toMatchObject({ routeId: id, destination: '192.0.2.1', trace: { result: 'pass' } })
  })

  it('is refused as storing the route is', async () => {
    const routerId = await edge()
    const body = { ...named('out'), destination: net('10.9.0.0/16'), target: { type: 'drop' as const } }
    await me().vpcRouterRouteCreate({ query: { ...inVpc, router: 'edge' }, body })
    await expect(path(way(routerId))).rejects.toMatchObject({
      status: 400,
      message: 'route "out" of this router has the same destination: change that one',
    })
    const { items } = await me().vpcRouterList({ query: inVpc })
    const system = items.find(({ kind }) => kind === 'system')?.id ?? ''
    await expect(path(way(system))).rejects.toMatchObject({ status: 400 })
    const none = '00000000-0000-4000-8000-000000000000'
    await expect(path(way(none))).rejects.toMatchObject({ status: 404 })
    await expect(path({ ...way(routerId), id: none })).rejects.toMatchObject({ status: 404 })
  })
})

describe('the traffic of a preview', () => {
  const found = async (...list: Rule[]) => {
    const change = { type: 'firewall_rules' as const, rules: list }
    const request = { params: { vpc: 'default' }, query, body: { change, traffic: true } }
    const { traffic } = await me().vpcPreview(request)
    expect(traffic).toMatchObject({ complete: true, totalGroups: traffic?.groups.length })
    return traffic?.groups.map(({ opens, closes, instances }) => [
      instances.map(({ name }) => name).join(' '),
      ...opens.map(({ text }) => `+ ${text}`),
      ...closes.map(({ text }) => `- ${text}`),
    ])
  }
  const stored = async () => {
    const { rules: list } = await me().vpcFirewallRulesView({ query: inVpc })
    return list.map((one) => rule(one.name, one))
  }
  const tcp = (...ports: string[]) => ({ ports, protocols: [{ type: 'tcp' as const }] })

  it('is what the rules open and close, by the instances that they are about', async () => {
    await addInstance(w, 'idle')
    await attach()
    const present = await stored()
    expect(await found(...present)).toEqual([])
    expect(await found(...present, rule('web', { filters: tcp('80', '443') }))).toEqual([
      ['web', '+ TCP 80, TCP 443 from anywhere outside'],
    ])
    expect(await found(...present, rule('no', { action: 'deny', priority: 1 }))).toEqual([
      ['web', '- TCP 22, ICMP from anywhere outside', '- all traffic from everything in the VPC'],
      ['idle', '- all traffic from everything in the VPC'],
    ])
    const target = { type: 'instance' as const, value: 'idle' }
    expect(await found(...present, rule('no', { action: 'deny', priority: 1, targets: [target] }))).toEqual([
      ['idle', '- all traffic from everything in the VPC'],
    ])
    const disabled = rule('no', { action: 'deny', priority: 1, status: 'disabled' })
    expect(await found(...present, disabled)).toEqual([])
  })

  it('is only for the other ends and ports about which rules before it do not decide', async () => {
    await attach()
    const office = { type: 'ip_net' as const, value: '198.51.100.0/24' }
    const desk = { type: 'ip' as const, value: '198.51.100.7' }
    const no = rule('no', { action: 'deny', priority: 1, filters: { hosts: [desk], ...tcp('81') } })
    await rules(no)
    const web = rule('web', { filters: { hosts: [office], ...tcp('80-82') } })
    expect(await found(no, web)).toEqual([
      ['web', '+ TCP 80-82 from 198.51.100.0/24 except 198.51.100.7', '+ TCP 80, TCP 82 from 198.51.100.7'],
    ])
    const all = rule('all', { priority: 0 })
    expect(await found(all, no, web)).toEqual([['web', '+ all traffic from anywhere']])
    expect(await found(no, { ...web, action: 'deny' })).toEqual([])
  })

  it('leaves instances too, to instances by name', async () => {
    await addInstance(w, 'db')
    const present = await stored()
    const db = { type: 'instance' as const, value: 'db' }
    const no = rule('no', {
      direction: 'outbound',
      action: 'deny',
      targets: [{ type: 'instance', value: 'web' }],
      filters: { hosts: [db], protocols: [{ type: 'icmp', value: null }] },
    })
    expect(await found(...present, no)).toEqual([['web', '- ICMP to db']])
    expect(await found(...present, rule('out', { direction: 'outbound', action: 'deny' }))).toEqual([
      ['db web', '- all traffic to anywhere'],
    ])
  })

  it('is left out unless it is asked for', async () => {
    const body = { change: { type: 'firewall_rules' as const, rules: [] } }
    const answer = await me().vpcPreview({ params: { vpc: 'default' }, query, body })
    expect(answer).not.toHaveProperty('traffic')
  })
})
