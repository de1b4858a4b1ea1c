/** Generated networks of a VPC and packets for them, for tests of the model. */
import fc from '../properties.ts'
import type { VpcFirewallRuleTable } from '#/db/tables.ts'
import type { Packet } from '#/network/packet.ts'
import { forSled, networkOf } from '#/network/model.ts'
import type { VpcRows } from '#/network/rows.ts'
import type { SledNetwork } from '#/network/sled-network.ts'

const base = { projectId: 'p', description: '', timeCreated: 0, timeModified: 0 }
export const subnets = [
  { name: 'front', block: '10.0.0.0/24', router: 'custom' },
  { name: 'back', block: '10.0.1.0/24', router: null },
]
export const instances = [
  { name: 'a', subnet: 'front', ip: '10.0.0.5', snat: true },
  { name: 'b', subnet: 'front', ip: '10.0.0.6', snat: false },
  { name: 'c', subnet: 'back', ip: '10.0.1.5', snat: true },
]
const addresses = [...instances.map(({ ip }) => ip), '10.0.0.77', '8.8.8.8', '9.9.9.9']

export interface End {
  type: 'vpc' | 'subnet' | 'instance' | 'ip' | 'ip_net'
  value: string
}
export interface Rule {
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
export const packet = fc.record<Packet>({
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

export interface Net {
  rules: Rule[]
  routes: Route[]
  /** whether the pool is attached to the gateway */
  isAttached: boolean
}
const name = <T>(list: T[], prefix: string): (T & { name: string })[] =>
  list.map((one, i) => ({ ...one, name: `${prefix}${i}` }))
/** A network with at most this many rules. */
export const netWith = (mostRules: number): fc.Arbitrary<Net> =>
  fc.record({
    rules: fc.array(rule, { maxLength: mostRules }).map((list) => name(list, 'rule')),
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
export function rowsOf({ rules, routes, isAttached }: Net): VpcRows {
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
      isProtected: null,
      tagsJson: null,
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
      tagsJson: null,
      nextKey: '',
      rcgen: 0,
    })),
    routers: routers.map((kind) => ({ ...base, id: kind, name: kind, vpcId: 'v', tagsJson: null, kind })),
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
    gateways: [{ ...base, id: 'gateway', name: 'out', vpcId: 'v', tagsJson: null }],
    gatewayPools: isAttached
      ? [{ ...base, id: 'link', name: 'link', internetGatewayId: 'gateway', ipPoolId: 'pool' }]
      : [],
    gatewayAddresses: [],
    nics: instances.map((one, i) => ({
      ...base,
      id: one.name,
      name: 'net0',
      owner: 'instance' as const,
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

/**
 * True if a system route has the same destination as that of a subnet, which no request creates: the two would tie.
 */
export const isTie = ({ routes }: Net) =>
  routes.some(({ router, destination }) => router === 'system' && destination.type === 'subnet')

/** A generated network as the sled gets it that has all its instances. */
export const pushedOf = (one: Net, version: number): SledNetwork =>
  forSled(networkOf(rowsOf(one)), 'sled', version)
