import type { Client } from '@purlin/contract/client'
import { operations, type Operations } from '@purlin/contract/operations'
import { limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectRead, projectWrite, answers } from '#/testing/roles.ts'
import { rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
})
afterEach(async () => {
  expect(world.errors).toEqual([])
  await world.close()
})

const query = { project: 'demo', vpc: 'default' }
const me = () => world.as('projectCollaborator')
type Rule = NonNullable<Parameters<Client<Operations>['vpcFirewallRulesUpdate']>[0]['body']['rules']>[number]
const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  description: '',
  status: 'enabled',
  direction: 'inbound',
  targets: [{ type: 'vpc', value: 'default' }],
  filters: {},
  action: 'allow',
  priority: 100,
  ...more,
})
const replace = async (...rules: Rule[]) =>
  (await me().vpcFirewallRulesUpdate({ query, body: { rules } })).rules
const view = async () => (await me().vpcFirewallRulesView({ query })).rules
const rejects = rejectsIn(() => world)
const refused = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const badValue = (field: string, reason: string) => ({
  status: 400,
  code: 'InvalidValue',
  message: `unsupported value for "${field}": ${reason}`,
})
const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))
const address = (i: number) => ({ type: 'ip' as const, value: `10.0.${i >> 8}.${i & 255}` })

describe('a replacement', () => {
  it('stores every field, and answers like a view: by name', async () => {
    const all: Rule[] = [
      rule('web', {
        description: 'what the world sees',
        status: 'disabled',
        direction: 'outbound',
        action: 'deny',
        priority: 65_535,
        targets: [
          { type: 'subnet', value: 'not-yet' },
          { type: 'instance', value: 'nowhere' },
          { type: 'ip', value: '10.0.0.1' },
          { type: 'ip_net', value: 'fd00::/8' },
        ],
        filters: {
          hosts: [
            { type: 'vpc', value: 'default' },
            { type: 'ip_net', value: '0.0.0.0/0' },
          ],
          ports: ['1', '80-90', '65535'],
          protocols: [
            { type: 'tcp' },
            { type: 'udp' },
            { type: 'icmp', value: null },
            { type: 'icmp', value: { icmpType: 8, code: '0-3' } },
            { type: 'icmp', value: { icmpType: 255 } },
          ],
        },
      }),
      rule('any', { priority: 0, targets: [] }),
    ]
    const { id: vpcId } = await me().vpcView({ params: { vpc: 'default' }, query: { project: 'demo' } })
    const stored = await replace(...all)
    expect(stored).toMatchObject([
      { ...all[1], filters: { hosts: null, ports: null, protocols: null } },
      all[0] ?? {},
    ])
    for (const one of stored) expect(one).toMatchObject({ vpcId, timeCreated: new Date(world.clock.now()) })
    expect(await view()).toEqual(stored)
  })

  it('takes null, an absent and an empty filter for the same: no restriction', async () => {
    const none = { hosts: null, ports: null, protocols: null }
    const stored = await replace(
      rule('a', { filters: none }),
      rule('b', { filters: { hosts: [], ports: [], protocols: [] } }),
      rule('c'),
    )
    expect(stored.map(({ filters }) => filters)).toEqual([none, none, none])
  })

  it('takes an ICMP filter without a value for one of every type', async () => {
    const sent = { ...rule('ping'), filters: { protocols: [{ type: 'icmp' }] } }
    const { status, json } = await put({ rules: [sent] })
    const protocols = [{ type: 'icmp', value: null }]
    expect([status, json]).toMatchObject([200, { rules: [{ filters: { protocols } }] }])
  })

  it('accepts the rules that a VPC begins with from a client that drops null keys', async () => {
    const before = await view()
    const { json } = await world.raw({ method: 'GET', url: address1, who: 'projectCollaborator' })
    const dropped = JSON.stringify(json, (_, item: unknown) => item ?? undefined)
    expect(dropped).not.toContain('null')
    expect(await put(JSON.parse(dropped) as object)).toMatchObject({ status: 200 })
    const filtersOf = (rules: typeof before) => rules.map(({ name, filters }) => ({ name, filters }))
    expect(filtersOf(await view())).toEqual(filtersOf(before))
  })

  it('keeps the id and the times of a rule that is the same, and changes only the last of one that is not', async () => {
    const [changed, same] = await replace(rule('changed'), rule('same'), rule('without'))
    await world.advance(1000)
    const now = new Date(world.clock.now())
    const after = await replace(rule('changed', { priority: 7 }), rule('same'), rule('with'))
    expect(after).toEqual([
      { ...changed, priority: 7, timeModified: now },
      same,
      expect.objectContaining({ name: 'with', timeCreated: now, timeModified: now }),
    ])
    expect(await view()).toEqual(after)
  })

  it('without rules leaves none', async () => {
    expect(await me().vpcFirewallRulesUpdate({ query, body: {} })).toEqual({ rules: [] })
    expect(await view()).toEqual([])
  })

  it('is of one VPC, and rules go with it', async () => {
    const body = { name: 'net', description: '', dnsName: 'net' }
    await me().vpcCreate({ query: { project: 'demo' }, body })
    await replace()
    const { rules } = await me().vpcFirewallRulesView({ query: { ...query, vpc: 'net' } })
    expect(rules.map(({ name }) => name)).toEqual(['allow-icmp', 'allow-internal-inbound', 'allow-ssh'])
  })

  it('can also be read in part: the first in order of evaluation', async () => {
    const of = (name: string, priority: number, action: 'allow' | 'deny' = 'allow') =>
      rule(name, { priority, action })
    await replace(of('d', 5), of('c', 7), of('a', 7), of('b', 7, 'deny'), of('e', 9))
    const first = async (count: number) =>
      (await me().vpcFirewallRulesView({ query: { ...query, first: count } })).rules.map(({ name }) => name)
    expect(await first(1)).toEqual(['d'])
    expect(await first(3)).toEqual(['d', 'b', 'a'])
    expect(await first(1024)).toEqual(['d', 'b', 'a', 'c', 'e'])
    await replace()
    expect(await first(3)).toEqual([])
    await rejects(() => first(0), { status: 400 })
    await rejects(() => first(1025), { status: 400 })
  })

  it('may have 1024 rules and 256 of each in a rule', async () => {
    const full = rule('full', {
      targets: many(256, address),
      filters: {
        hosts: many(256, address),
        ports: many(256, (i) => `${i + 1}`),
        protocols: many(256, () => ({ type: 'tcp' })),
      },
    })
    const stored = await replace(full, ...many(1023, (i) => rule(`r-${i}`)))
    expect(stored).toHaveLength(1024)
    expect(stored[0]).toMatchObject(full)
  })
})

describe('a replacement is refused, and nothing is stored, with', () => {
  it('more than 1024 rules', () =>
    rejects(() => replace(...many(1025, (i) => rule(`r-${i}`))), badValue('rules', 'max length 1024')))

  const tooMany: [string, Partial<Rule>][] = [
    ['targets', { targets: many(257, address) }],
    ['filters.hosts', { filters: { hosts: many(257, address) } }],
    ['filters.ports', { filters: { ports: many(257, (i) => `${i + 1}`) } }],
    ['filters.protocols', { filters: { protocols: many(257, () => ({ type: 'udp' as const })) } }],
  ]
  it.each(tooMany)('more than 256 %s', (field, more) =>
    rejects(() => replace(rule('good'), rule('bad', more)), badValue(field, 'max length 256')),
  )

  it('names that repeat', () =>
    rejects(
      () => replace(...['x', 'y', 'z', 'y', 'x', 'x'].map((name) => rule(name))),
      refused('Rule names must be unique. Duplicates: ["y", "x"]'),
    ))

  const ports: [string, string][] = [
    ['90-80', 'range has larger start value than end value'],
    ['-80', 'range has no start value'],
    ['80-', 'range has no end value'],
    ['x', 'invalid digit found in string'],
    ['', 'cannot parse integer from empty string'],
    ['0', 'number would be zero for non-zero type'],
    ['65536', 'number too large to fit in target type'],
    ['1000000-2000000', 'number too large to fit in target type'],
  ]
  it.each(ports)('the ports "%s"', (port, reason) =>
    rejects(() => replace(rule('bad', { filters: { ports: [port] } })), badValue('l4_port_range', reason)),
  )

  it.each([
    ['9-8', 'range has larger start value than end value'],
    ['256', 'number too large to fit in target type'],
    ['a', 'invalid digit found in string'],
  ])('the ICMP code "%s"', (code, reason) => {
    const protocols = [{ type: 'icmp' as const, value: { icmpType: 8, code } }]
    return rejects(() => replace(rule('bad', { filters: { protocols } })), badValue('code', reason))
  })

  const hostBits = [{ type: 'ip_net' as const, value: '10.0.0.5/24' }]
  it('a network with host bits as target or host', async () => {
    const reason = refused("IP address range '10.0.0.5/24' has a non-zero host identifier")
    await rejects(() => replace(rule('bad', { targets: hostBits })), reason)
    await rejects(() => replace(rule('bad', { filters: { hosts: hostBits } })), reason)
  })

  const other = [{ type: 'vpc' as const, value: 'other' }]
  it('another VPC as target or host', async () => {
    await rejects(
      () => replace(rule('bad', { targets: other })),
      refused('cross-VPC firewall target unsupported'),
    )
    await rejects(
      () => replace(rule('bad', { filters: { hosts: other } })),
      refused('cross-VPC firewall host filter unsupported'),
    )
  })

  it.each([
    ['priority 65536', { priority: 65_536 }, 'expected uint16'],
    ['priority -1', { priority: -1 }, 'expected uint16'],
    ['an unknown target', { targets: [{ type: 'group', value: 'x' }] }, 'unknown variant `group`'],
    [
      'an ICMP type above 255',
      { filters: { protocols: [{ type: 'icmp', value: { icmp_type: 256 } }] } },
      'expected uint8',
    ],
  ])('%s', async (_, more, reason) => {
    const { status, json } = await put({ rules: [{ ...rule('bad'), ...more }] })
    expect([status, json]).toMatchObject([400, { message: expect.stringContaining(reason) as string }])
  })
})

const address1 = '/v1/vpc-firewall-rules?project=demo&vpc=default'
const put = (body: object, headers: Record<string, string> = {}) =>
  world.raw({ method: 'PUT', url: address1, who: 'projectCollaborator', body: JSON.stringify(body), headers })

it('1024 rules with 20 targets, hosts and ports each fit into a body', () => {
  const rules = many(1024, (i) =>
    rule(`r-${i}`, {
      description: 'd'.repeat(limits.description),
      targets: many(20, address),
      filters: { hosts: many(20, address), ports: many(20, () => '10000-20000') },
    }),
  )
  expect(JSON.stringify({ rules }).length).toBeLessThan(operations.vpcFirewallRulesUpdate.bodyLimit)
})

it('the second of two concurrent changes is refused on request', async () => {
  const read = await world.raw({ method: 'GET', url: address1, who: 'projectCollaborator' })
  const tag = read.headers['etag'] ?? ''
  expect(tag).toMatch(/^"[^"]+"$/)
  const first = await put({ rules: [rule('first')] }, { 'if-match': tag })
  expect(first.status).toBe(200)
  const second = await put({ rules: [rule('second')] }, { 'if-match': tag })
  expect([second.status, second.json]).toMatchObject([412, { error_code: 'PreconditionFailed' }])
  expect((await view()).map(({ name }) => name)).toEqual(['first'])
})

it('there is no other way to change them', async () => {
  for (const method of ['DELETE', 'POST'] as const)
    expect((await world.raw({ method, url: address1, who: 'admin' })).status).toBe(405)
})

it('viewers see the rules, and collaborators replace them', async () => {
  expect(await answers(world, (client) => client.vpcFirewallRulesView({ query }))).toEqual(projectRead)
  const change = (client: Client<Operations>, name: string) =>
    client.vpcFirewallRulesUpdate({ query, body: { rules: [rule(name)] } })
  expect(await answers(world, change)).toEqual(projectWrite)
})

it('rules follow their VPC and its subnets when they are renamed', async () => {
  const ends = [
    { type: 'vpc' as const, value: 'default' },
    { type: 'subnet' as const, value: 'default' },
    { type: 'instance' as const, value: 'default' },
  ]
  await replace(rule('one', { targets: ends, filters: { hosts: ends } }))
  await me().vpcUpdate({ params: { vpc: 'default' }, query: { project: 'demo' }, body: { name: 'net' } })
  const inNet = { ...query, vpc: 'net' }
  await me().vpcSubnetUpdate({ params: { subnet: 'default' }, query: inNet, body: { name: 'main' } })
  const { rules } = await me().vpcFirewallRulesView({ query: inNet })
  const after = [
    { type: 'vpc', value: 'net' },
    { type: 'subnet', value: 'main' },
    { type: 'instance', value: 'default' },
  ]
  expect(rules).toMatchObject([{ targets: after, filters: { hosts: after } }])
})
