/**
 * Generated networks, and what becomes of packets in them, by the model and by an evaluator that follows the rules one
 * by one without regard to speed. They share no code.
 */
import { expect, it } from 'vitest'
import fc from '#/testing/properties.ts'
import type { VpcFirewallRuleTable } from '#/db/tables.ts'
import { forSled, networkOf } from './model.ts'
import { arrive, leave, type Packet } from './packet.ts'
import type { VpcRows } from './rows.ts'

const base = { projectId: 'p', description: '', timeCreated: 0, timeModified: 0 }
const subnets = [
  { name: 'front', block: '10.0.0.0/24', router: 'custom' },
  { name: 'back', block: '10.0.1.0/24', router: null },
]
const instances = [
  { name: 'a', subnet: 'front', ip: '10.0.0.5', snat: true },
  { name: 'b', subnet: 'front', ip: '10.0.0.6', snat: false },
  { name: 'c', subnet: 'back', ip: '10.0.1.5', snat: true },
]
const addresses = [...instances.map(({ ip }) => ip), '10.0.0.77', '8.8.8.8', '9.9.9.9']

interface End {
  type: 'vpc' | 'subnet' | 'instance' | 'ip' | 'ip_net'
  value: string
}
interface Rule {
  name: string
  status: 'enabled' | 'disabled'
  direction: 'inbound' | 'outbound'
  action: 'allow' | 'deny'
  priority: number
  targets: End[]
  hosts: End[] | null
  ports: string[] | null
  protocols:
    | ({ type: 'tcp' | 'udp' } | { type: 'icmp'; value: { icmpType: number; code: string | null } | null })[]
    | null
}
interface Route {
  name: string
  router: 'system' | 'custom'
  destination: { type: 'ip' | 'ip_net' | 'subnet'; value: string }
  target: { type: 'ip' | 'instance' | 'internet_gateway' | 'subnet'; value: string } | { type: 'drop' }
}

const end: fc.Arbitrary<End> = fc.oneof(
  fc.constant<End>({ type: 'vpc', value: 'net' }),
  fc.constantFrom('front', 'back', 'none').map((value): End => ({ type: 'subnet', value })),
  fc.constantFrom('a', 'b', 'c', 'none').map((value): End => ({ type: 'instance', value })),
  fc.constantFrom(...addresses).map((value): End => ({ type: 'ip', value })),
  fc
    .constantFrom('10.0.0.0/23', '10.0.1.0/24', '8.0.0.0/7', '0.0.0.0/0')
    .map((value): End => ({ type: 'ip_net', value })),
)
const orNull = <T>(list: fc.Arbitrary<T[]>) => fc.oneof(fc.constant(null), list)
const rule = fc.record<Omit<Rule, 'name'>>({
  status: fc.constantFrom('enabled', 'enabled', 'disabled'),
  direction: fc.constantFrom('inbound', 'outbound'),
  action: fc.constantFrom('allow', 'deny'),
  priority: fc.nat(2),
  targets: fc.array(end, { maxLength: 2 }),
  hosts: orNull(fc.array(end, { minLength: 1, maxLength: 2 })),
  ports: orNull(fc.subarray(['1', '2-3', '3-4'], { minLength: 1 })),
  protocols: orNull(
    fc.subarray<NonNullable<Rule['protocols']>[number]>(
      [
        { type: 'tcp' },
        { type: 'udp' },
        { type: 'icmp', value: null },
        { type: 'icmp', value: { icmpType: 8, code: null } },
        { type: 'icmp', value: { icmpType: 3, code: '1-2' } },
      ],
      { minLength: 1 },
    ),
  ),
})
const route = fc.record<Omit<Route, 'name'>>({
  router: fc.constantFrom('system', 'custom'),
  destination: fc.constantFrom<Route['destination']>(
    { type: 'ip', value: '8.8.8.8' },
    { type: 'ip_net', value: '8.0.0.0/8' },
    { type: 'ip_net', value: '0.0.0.0/0' },
    { type: 'ip_net', value: '10.0.0.0/16' },
    { type: 'subnet', value: 'back' },
    { type: 'subnet', value: 'none' },
  ),
  target: fc.constantFrom<Route['target']>(
    { type: 'drop' },
    { type: 'ip', value: '10.0.0.6' },
    { type: 'ip', value: '10.0.0.99' },
    { type: 'ip', value: 'fd00::5' },
    { type: 'instance', value: 'c' },
    { type: 'instance', value: 'none' },
    { type: 'internet_gateway', value: 'out' },
    { type: 'internet_gateway', value: 'none' },
  ),
})
const packet = fc.record<Packet>({
  source: fc.constantFrom(...addresses),
  destination: fc.constantFrom(...addresses),
  protocol: fc.oneof(
    fc.record({
      type: fc.constantFrom('tcp' as const, 'udp' as const),
      port: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({ type: fc.constant('icmp' as const), icmpType: fc.constantFrom(3, 8), code: fc.nat(3) }),
    fc.constant({ type: 'other' as const }),
  ),
})

interface Net {
  rules: Rule[]
  routes: Route[]
  /** whether the pool is attached to the gateway */
  isAttached: boolean
}
const name = <T>(list: T[], prefix: string): (T & { name: string })[] =>
  list.map((one, i) => ({ ...one, name: `${prefix}${i}` }))
const net: fc.Arbitrary<Net> = fc.record({
  rules: fc.array(rule, { maxLength: 6 }).map((list) => name(list, 'rule')),
  // A router has one route to each destination.
  routes: fc
    .uniqueArray(route, { maxLength: 6, selector: (one) => JSON.stringify([one.router, one.destination]) })
    .map((list) => name(list, 'route')),
  isAttached: fc.boolean(),
})

const key = (ip: string) =>
  `4${ip
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')
    .padStart(32, '0')}`

/** The rows of a generated network. */
function rowsOf({ rules, routes, isAttached }: Net): VpcRows {
  const routers = ['system', 'custom'] as const
  const ofSubnets = subnets.map((one): Route => ({
    name: one.name,
    router: 'system',
    destination: { type: 'subnet', value: one.name },
    target: { type: 'subnet', value: one.name },
  }))
  return {
    vpc: {
      ...base,
      id: 'v',
      name: 'net',
      vni: 5000,
      systemRouterId: 'system',
      ipv6Prefix: 'fd00::/48',
      dnsName: 'net',
      rcgen: 0,
    },
    subnets: subnets.map((one, i) => ({
      ...base,
      id: one.name,
      name: one.name,
      vpcId: 'v',
      ipv4Block: one.block,
      ipv6Block: `fd00:0:0:${i}::/64`,
      customRouterId: one.router,
      nextKey: '',
      rcgen: 0,
    })),
    routers: routers.map((kind) => ({ ...base, id: kind, name: kind, vpcId: 'v', kind })),
    routes: [...routes, ...ofSubnets].map((one) => ({
      ...base,
      id: `${one.router} ${one.name}`,
      name: one.name,
      vpcRouterId: one.router,
      kind: 'custom',
      subnetId: null,
      destinationJson: JSON.stringify(one.destination),
      targetJson: JSON.stringify(one.target),
    })),
    rules: rules.map(
      ({
        name: id,
        status,
        direction,
        action,
        priority,
        targets,
        hosts,
        ports,
        protocols,
      }): VpcFirewallRuleTable => ({
        ...base,
        id,
        name: id,
        vpcId: 'v',
        status,
        direction,
        action,
        priority,
        targetsJson: JSON.stringify(targets),
        filtersJson: JSON.stringify({ hosts, ports, protocols }),
      }),
    ),
    gateways: [{ ...base, id: 'gateway', name: 'out', vpcId: 'v' }],
    gatewayPools: isAttached
      ? [{ ...base, id: 'link', name: 'link', internetGatewayId: 'gateway', ipPoolId: 'pool' }]
      : [],
    gatewayAddresses: [],
    nics: instances.map((one, i) => ({
      ...base,
      id: one.name,
      name: 'net0',
      instanceId: one.name,
      instanceName: one.name,
      hostname: one.name,
      sledId: 'sled',
      vpcId: 'v',
      subnetId: one.subnet,
      mac: i,
      ipKey: key(one.ip),
      slot: 0,
      isPrimary: 1,
      transitIpsJson: '[]',
    })),
    externalIps: instances
      .filter(({ snat }) => snat)
      .map((one) => ({
        ...base,
        id: one.name,
        name: one.name,
        kind: 'snat',
        ipKey: key('203.0.113.7'),
        ipPoolId: 'pool',
        instanceId: one.name,
        firstPort: 0,
        lastPort: 16_383,
      })),
  }
}

// The naive evaluator: numbers of addresses, and lists that are gone through.
const number = (ip: string) => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
function within(block: string, ip: string): boolean {
  const [start = '', width = ''] = block.split('/')
  const size = 2 ** (32 - Number(width))
  return Math.floor(number(start) / size) === Math.floor(number(ip) / size)
}
const isNamed = ({ type, value }: End): boolean => {
  if (type === 'subnet') return subnets.some((one) => one.name === value)
  return type !== 'instance' || instances.some((one) => one.name === value)
}
function means({ type, value }: End, ip: string, inside: boolean): boolean {
  if (type === 'vpc') return inside
  if (type === 'subnet') return subnets.some((one) => one.name === value && within(one.block, ip))
  if (type === 'instance') return instances.some((one) => one.name === value && one.ip === ip)
  return type === 'ip' ? ip === value : within(value, ip)
}
function isCarried({ protocols, ports }: Rule, { protocol }: Packet): boolean {
  const isPort = (port: number) =>
    !ports ||
    ports.some((text) => {
      const [first, last = first] = text.split('-').map(Number)
      return port >= (first ?? 0) && port <= (last ?? 0)
    })
  if (!protocols && !ports) return true
  if (protocol.type === 'other') return false
  const any = protocols ?? [{ type: 'tcp' as const }, { type: 'udp' as const }]
  return any.some((one) => {
    if (one.type !== protocol.type) return false
    if (protocol.type !== 'icmp') return isPort(protocol.port)
    if (one.type !== 'icmp' || one.value === null) return true
    const [first = 0, last = first] = one.value.code?.split('-').map(Number) ?? [0, 255]
    return one.value.icmpType === protocol.icmpType && protocol.code >= first && protocol.code <= last
  })
}
function isAllowed(
  { rules }: Net,
  direction: Rule['direction'],
  at: { own: string; other: string; inside: boolean; packet: Packet },
): boolean {
  const fitting = rules.filter((one) => {
    if (one.status === 'disabled' || one.direction !== direction) return false
    if (one.targets.length > 0 && !one.targets.some((target) => means(target, at.own, true))) return false
    if (one.hosts && !one.hosts.some((host) => isNamed(host) && means(host, at.other, at.inside)))
      return false
    return isCarried(one, at.packet)
  })
  if (fitting.length === 0) return direction === 'outbound'
  const lowest = Math.min(...fitting.map(({ priority }) => priority))
  return fitting.every((one) => one.priority !== lowest || one.action === 'allow')
}
/** Where a packet goes: an instance, `outside`, or null. */
function destinationOf(net: Net, from: (typeof instances)[number], one: Packet): string | null {
  if (one.source !== from.ip) return null
  const subnet = subnets.find(({ name: called }) => called === from.subnet)
  const found: { width: number; custom: boolean; to: 'local' | 'out' | 'drop' | { ip: string } }[] = subnets
    .filter(({ block }) => within(block, one.destination))
    .map(() => ({ width: 24, custom: false, to: 'local' }))
  for (const { router, destination, target } of net.routes) {
    if (router === 'custom' && subnet?.router !== 'custom') continue
    const block =
      destination.type === 'subnet'
        ? subnets.find(({ name: called }) => called === destination.value)?.block
        : destination.type === 'ip'
          ? `${destination.value}/32`
          : destination.value
    if (block === undefined || !within(block, one.destination)) continue
    if (
      target.type === 'subnet' ||
      (target.type !== 'drop' && (target.value === 'none' || target.value.includes(':')))
    )
      continue
    const to =
      target.type === 'drop'
        ? 'drop'
        : target.type === 'internet_gateway'
          ? 'out'
          : {
              ip:
                target.type === 'ip'
                  ? target.value
                  : (instances.find(({ name: called }) => called === target.value)?.ip ?? ''),
            }
    found.push({ width: Number(block.split('/')[1]), custom: router === 'custom', to })
  }
  // A system route beside that of a subnet would tie with it; no request makes one.
  const [best] = found.toSorted((x, y) => y.width - x.width || Number(y.custom) - Number(x.custom))
  if (!best || best.to === 'drop') return null
  const isOut = best.to === 'out'
  if (!isAllowed(net, 'outbound', { own: from.ip, other: one.destination, inside: !isOut, packet: one }))
    return null
  if (isOut) return net.isAttached && from.snat ? 'outside' : null
  const next = typeof best.to === 'object' ? best.to.ip : one.destination
  return instances.find(({ ip }) => ip === next)?.name ?? null
}

const isTie = ({ routes }: Net) =>
  routes.some(({ router, destination }) => router === 'system' && destination.type === 'subnet')

it('agree on where packets go, and on what arrives', () => {
  let passed = 0
  const property = fc.property(net, fc.array(packet, { minLength: 20, maxLength: 20 }), (one, packets) => {
    fc.pre(!isTie(one))
    const pushed = forSled(networkOf(rowsOf(one)), 'sled', 1)
    for (const sent of packets)
      for (const from of instances) {
        const nic = pushed.interfaces.find(({ id }) => id === from.name)
        if (!nic) throw new Error(from.name)
        const departure = leave(pushed, nic, sent)
        const went =
          departure.type === 'inside'
            ? instances.find(({ ip }) => ip === departure.to.ip)?.name
            : departure.type === 'outside'
              ? 'outside'
              : null
        expect(went, JSON.stringify({ one, sent, from: from.name })).toBe(destinationOf(one, from, sent))
        if (went !== null) passed++
        for (const inside of [true, false]) {
          const here = { ...sent, destination: from.ip }
          const verdict = arrive(pushed, nic, { ...here, inside })
          const expected = isAllowed(one, 'inbound', {
            own: from.ip,
            other: sent.source,
            inside,
            packet: here,
          })
          expect(
            typeof verdict === 'object' && verdict.action === 'allow',
            JSON.stringify({ one, here, inside }),
          ).toBe(expected)
        }
      }
  })
  fc.assert(property, { numRuns: 300 })
  expect(passed).toBeGreaterThan(100)
})
