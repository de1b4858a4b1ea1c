/** The decision of a sled on a packet, by the network that was pushed to it. */
import { canonicalIp, contains, parseIp, parseNet, type Address } from '@purlin/contract/rules/network/ip'
import type { NetworkInterface, NetworkRoute, NetworkRule, SledNetwork, VmAddress } from './sled-network.ts'

/** The first packet of a flow. */
export interface Packet {
  source: string
  destination: string
  protocol:
    | { type: 'tcp' | 'udp'; port: number }
    | { type: 'icmp'; icmpType: number; code: number }
    | { type: 'other' }
}

/** The decision of a firewall: a rule, or that none matches. */
export interface FirewallVerdict {
  action: 'allow' | 'deny'
  rule: NetworkRule | null
}

/** The decisions on a packet that leaves: its route, and then the firewall. */
interface Decided {
  route: NetworkRoute
  verdict: FirewallVerdict
}

/** Where a packet that leaves an interface goes, or why it goes nowhere. */
export type Departure =
  | { type: 'dropped'; by: 'source check' }
  | { type: 'dropped'; by: 'no route' }
  | ({ type: 'dropped'; by: 'firewall' } & Decided)
  | ({ type: 'dropped'; by: 'drop route' } & Decided)
  | ({ type: 'dropped'; by: 'no interface has the address'; address: string } & Decided)
  | ({ type: 'dropped'; by: 'no address for the gateway'; gatewayId: string } & Decided)
  | ({ type: 'inside'; to: SledNetwork['peers'][number] } & Decided)
  | ({ type: 'outside'; gatewayId: string; as: VmAddress } & Decided)

/** The path of a packet that the machine of an interface sends. */
export function leave(network: SledNetwork, nic: NetworkInterface, packet: Packet): Departure {
  if (!isOwn(nic, packet.source)) return { type: 'dropped', by: 'source check' }
  const [route] = candidates(network, nic, packet.destination)
  if (!route) return { type: 'dropped', by: 'no route' }
  const { target } = route
  const far = { address: packet.destination, inside: target.type !== 'gateway' }
  const verdict = filter(network, nic, { ...packet, direction: 'outbound', far })
  const decided = { route, verdict }
  if (verdict.action === 'deny') return { type: 'dropped', by: 'firewall', ...decided }
  switch (target.type) {
    case 'drop':
      return { type: 'dropped', by: 'drop route', ...decided }
    case 'gateway': {
      const gatewayId = target.id
      const found = nic.nat.outbound.find((one) => one.gatewayId === gatewayId)
      const [as] = found?.addresses.filter(({ ip }) => isSameFamily(ip, packet.destination)) ?? []
      return as
        ? { type: 'outside', gatewayId, as, ...decided }
        : { type: 'dropped', by: 'no address for the gateway', gatewayId, ...decided }
    }
    case 'local':
    case 'ip': {
      const address = canonicalIp(target.type === 'ip' ? target.ip : packet.destination)
      const to = network.peers.find(({ ip }) => ip === address)
      return to
        ? { type: 'inside', to, ...decided }
        : { type: 'dropped', by: 'no interface has the address', address, ...decided }
    }
  }
}

/** The routes of an interface to an address: the first is used. */
export function candidates(network: SledNetwork, nic: NetworkInterface, destination: string): NetworkRoute[] {
  const address = parseIp(destination)
  return (network.routeSets[nic.routes] ?? []).filter((route) => isIn(route.destination, address))
}

/** The interface that a packet from outside comes to, by one of its external addresses; undefined if none has it. */
export function enter(
  { interfaces }: Pick<SledNetwork, 'interfaces'>,
  destination: string,
): { nic: NetworkInterface; as: VmAddress } | undefined {
  const address = canonicalIp(destination)
  for (const nic of interfaces) {
    const as = nic.nat.inbound.find(({ ip }) => ip === address)
    if (as) return { nic, as }
  }
  return undefined
}

/** The path of a packet that arrives for an interface, from inside the VPC or from outside, after NAT. */
export function arrive(
  network: SledNetwork,
  nic: NetworkInterface,
  { inside, ...packet }: Packet & { inside: boolean },
): FirewallVerdict | 'destination check' {
  if (!isOwn(nic, packet.destination)) return 'destination check'
  const far = { address: packet.source, inside }
  return filter(network, nic, { ...packet, direction: 'inbound', far })
}

interface Filtered extends Packet {
  direction: NetworkRule['direction']
  far: { address: string; inside: boolean }
}

const filter = ({ rules }: SledNetwork, nic: NetworkInterface, packet: Filtered): FirewallVerdict =>
  decide(
    nic.rules.flatMap((place) => rules[place] ?? []),
    packet,
  )

/** The decision of the rules of an interface, in order. */
export function decide(rules: readonly NetworkRule[], packet: Filtered): FirewallVerdict {
  const address = parseIp(packet.far.address)
  for (const rule of rules) if (fits(rule, packet, address)) return { action: rule.action, rule }
  return { action: packet.direction === 'inbound' ? 'deny' : 'allow', rule: null }
}

function fits(
  { direction, hosts, protocols }: NetworkRule,
  { far, ...packet }: Filtered,
  address: Address | undefined,
): boolean {
  if (direction !== packet.direction) return false
  if (protocols !== null && !protocols.some((one) => carries(one, packet.protocol))) return false
  return hosts === null || (hosts.inside && far.inside) || hosts.nets.some((net) => isIn(net, address))
}

function carries(
  allowed: NonNullable<NetworkRule['protocols']>[number],
  protocol: Packet['protocol'],
): boolean {
  const has = (range: { first: number; last: number } | null, value: number) =>
    range === null || (value >= range.first && value <= range.last)
  if (protocol.type === 'other') return false
  if (allowed.type === 'icmp' && protocol.type === 'icmp') {
    const { icmpType, codes } = allowed
    return (icmpType === null || icmpType === protocol.icmpType) && has(codes, protocol.code)
  }
  if (allowed.type === 'icmp' || protocol.type === 'icmp') return false
  const { ports } = allowed
  return allowed.type === protocol.type && (ports === null || ports.some((one) => has(one, protocol.port)))
}

/** True if an interface may send with this source, or receive for this destination. */
function isOwn(nic: NetworkInterface, text: string): boolean {
  const address = parseIp(text)
  return canonicalIp(text) === nic.ip || nic.transitIps.some((net) => isIn(net, address))
}

/** True if an address is in a network, which is given as text. */
export function isIn(net: string, address: Address | undefined): boolean {
  const network = parseNet(net)
  return network !== undefined && address !== undefined && contains(network, address)
}

const isSameFamily = (a: string, b: string): boolean => parseIp(a)?.family === parseIp(b)?.family
