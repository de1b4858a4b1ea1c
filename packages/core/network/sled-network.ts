/** The network of a VPC in the form that is pushed to a sled, with all names resolved. */
import type { NumberRange } from '@purlin/contract/rules/network/firewall'

/** An external address of a machine, with its range of ports: all ports unless the kind is `snat`. */
export interface VmAddress {
  kind: 'floating' | 'ephemeral' | 'snat'
  ip: string
  firstPort: number
  lastPort: number
}

/** A protocol that a rule is about: null is any port, type or code. Ports are those of the destination. */
export type NetworkProtocol =
  | { type: 'tcp' | 'udp'; ports: NumberRange[] | null }
  | { type: 'icmp'; icmpType: number | null; codes: NumberRange | null }

/** A firewall rule. Null is no restriction. */
export interface NetworkRule {
  id: string
  name: string
  direction: 'inbound' | 'outbound'
  action: 'allow' | 'deny'
  priority: number
  /** The other end: all that is carried inside the VPC, and networks. */
  hosts: { inside: boolean; nets: string[] } | null
  protocols: NetworkProtocol[] | null
}

/** A route: `local` is delivered by the table of peers, `ip` by the interface with that address. */
export interface NetworkRoute {
  id: string
  name: string
  routerId: string
  /** `address/width` */
  destination: string
  target: { type: 'local' } | { type: 'drop' } | { type: 'ip'; ip: string } | { type: 'gateway'; id: string }
}

/** External addresses of an interface. */
export interface NetworkNat {
  /** The addresses at which it can be reached. */
  inbound: VmAddress[]
  /** By gateway, those with which a packet may leave: the first kind that is there is used, stable for each flow. */
  outbound: { gatewayId: string; addresses: VmAddress[] }[]
}

/** The rules of an interface for a sled. `routes` and `rules` are indexes of the lists of its network. */
export interface NetworkInterface {
  id: string
  owner: 'instance' | 'probe'
  /** of its owner */
  instanceId: string
  mac: string
  ip: string
  /** the block of its subnet with this family */
  subnet: string
  slot: number
  primary: boolean
  transitIps: string[]
  dhcp: { hostname: string; router: string }
  routes: number
  rules: number[]
  nat: NetworkNat
}

/** Where an address of a VPC is. */
export interface NetworkPeer {
  ip: string
  mac: string
  sledId: string
  /** Blocks that it has in addition; absent if it has none. */
  transitIps?: string[]
  /** of the instance; probes have none */
  hostname?: string
}

/** The IP address at which the host of a sled takes packets of VPCs from other hosts. */
export interface NetworkTunnel {
  sledId: string
  address: string
}

/** An external address whose packets cross a tunnel between two hosts, with the address of the other one. */
export interface ExternalWay {
  ip: string
  address: string
}

/**
 * The whole network of a VPC as far as it concerns a sled; all names are resolved. A packet that fits no rule is denied
 * inbound and allowed outbound; one that fits no route is dropped.
 */
export interface SledNetwork {
  vpcId: string
  /** Another one for each change of the VPC's network, also after the database was restored from a backup. */
  version: number
  /** the 24-bit id of the virtual network */
  vni: number
  /** The zone of DNS that has the hostnames of peers. */
  zone?: string
  /** In order: the first that a packet fits decides. */
  rules: NetworkRule[]
  /** In order: the first that an address fits decides. */
  routeSets: NetworkRoute[][]
  /** Where the addresses of the VPC are. */
  peers: NetworkPeer[]
  /** The tunnels to the other sleds of peers, as far as they have one. */
  tunnels?: NetworkTunnel[]
  /** The external addresses of interfaces here that another sled leads: their packets enter and leave there. */
  away?: ExternalWay[]
  /**
   * The external addresses that this sled leads for interfaces of others. Those of source NAT are shared by sleds: only answers
   * come to them.
   */
  led?: (ExternalWay & { isShared: boolean })[]
  /** The interfaces of machines and probes on this sled. */
  interfaces: NetworkInterface[]
}
