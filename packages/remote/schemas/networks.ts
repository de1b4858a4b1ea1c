/** The network of a VPC on the wire, as it is pushed to a host. */
import {
  array,
  boolean,
  enumOf,
  integer,
  nullable,
  object,
  optional,
  union,
  type Schema,
} from '@purlin/contract/schema'
import type { NetworkInterface, NetworkPeer, NetworkRule, SledNetwork } from '@purlin/core/ports'
import { exact, id, most, text } from './machines.ts'

const port = integer({ min: 0, max: 65_535 })
const range = object({ first: integer(), last: integer() })
const ranges = array(range, most(10_000, 'ranges'))
const addresses = array(
  object({ kind: enumOf(['floating', 'ephemeral', 'snat']), ip: id, firstPort: port, lastPort: port }),
  most(10_000, 'addresses'),
)

const protocol = union('type', {
  tcp: { ports: nullable(ranges) },
  udp: { ports: nullable(ranges) },
  icmp: { icmpType: nullable(integer()), codes: nullable(range) },
})

const rule: Schema<NetworkRule> = object({
  id,
  name: text,
  direction: enumOf(['inbound', 'outbound']),
  action: enumOf(['allow', 'deny']),
  priority: integer(),
  hosts: nullable(object({ inside: boolean(), nets: array(id, most(1_000_000, 'networks')) })),
  protocols: nullable(array(protocol, most(10_000, 'protocols'))),
})

const route: Schema<SledNetwork['routeSets'][number][number]> = object({
  id,
  name: text,
  routerId: id,
  destination: id,
  target: union('type', { local: {}, drop: {}, ip: { ip: id }, gateway: { id } }),
})

const nic: Schema<NetworkInterface> = object({
  id,
  owner: enumOf(['instance', 'probe']),
  instanceId: id,
  mac: id,
  ip: id,
  subnet: id,
  slot: integer({ min: 0 }),
  primary: boolean(),
  transitIps: array(id, most(10_000, 'addresses')),
  dhcp: object({ hostname: text, router: id }),
  routes: integer({ min: 0 }),
  rules: array(integer({ min: 0 }), most(1_000_000, 'rules')),
  nat: object({
    inbound: addresses,
    outbound: array(object({ gatewayId: id, addresses }), most(10_000, 'gateways')),
  }),
})

const way = { ip: id, address: id }

const peer = exact<NetworkPeer>(
  object({
    ip: id,
    mac: id,
    sledId: id,
    transitIps: optional(array(id, most(10_000, 'addresses'))),
    hostname: optional(text),
  }),
)

export const sledNetwork = exact<SledNetwork>(
  object({
    vpcId: id,
    version: integer(),
    vni: integer(),
    zone: optional(text),
    rules: array(rule, most(1_000_000, 'rules')),
    routeSets: array(array(route, most(100_000, 'routes')), most(100_000, 'sets of routes')),
    peers: array(peer, most(1_000_000, 'addresses')),
    tunnels: optional(array(object({ sledId: id, address: id }), most(10_000, 'tunnels'))),
    away: optional(array(object(way), most(1_000_000, 'addresses'))),
    led: optional(array(object({ ...way, isShared: boolean() }), most(1_000_000, 'addresses'))),
    interfaces: array(nic, most(1_000_000, 'interfaces')),
  }),
)
