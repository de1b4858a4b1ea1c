/** What a sled does with a packet, decided by the network that was pushed to it. */
import { contains, formatIp, parseIp, parseNet } from '@purlin/contract/rules/ip'
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

/** What decided about a packet in a firewall: a rule, or that none fits. */
export interface FirewallVerdict {
  action: 'allow' | 'deny'
  rule: NetworkRule | null
}

/** Where a packet that leaves an interface goes, or why it goes nowhere. */
export type Departure =
  | { type: 'dropped'; by: 'source check' | 'no route' | 'drop route' | 'nobody has the address' }
  | { type: 'dropped'; by: 'no address for the gateway'; gatewayId: string }
  | { type: 'dropped'; by: 'firewall'; verdict: FirewallVerdict }
  | { type: 'inside'; to: SledNetwork['peers'][number]; route: NetworkRoute; verdict: FirewallVerdict }
  | { type: 'outside'; gatewayId: string; as: VmAddress; route: NetworkRoute; verdict: FirewallVerdict }

/** What becomes of a packet that the machine of an interface sends. */
export function leave(network: SledNetwork, nic: NetworkInterface, packet: Packet): Departure {
  if (!isOwn(nic, packet.source)) return { type: 'dropped', by: 'source check' }
  const route = network.routeSets[nic.routes]?.find(({ destination }) =>
    isIn(destination, packet.destination),
  )
  if (!route) return { type: 'dropped', by: 'no route' }
  const { target } = route
  const far = { address: packet.destination, inside: target.type !== 'gateway' }
  const verdict = filter(network, nic, { ...packet, direction: 'outbound', far })
  if (verdict.action === 'deny') return { type: 'dropped', by: 'firewall', verdict }
  switch (target.type) {
    case 'drop':
      return { type: 'dropped', by: 'drop route' }
    case 'gateway': {
      const found = nic.nat.outbound.find(({ gatewayId }) => gatewayId === target.id)
      const [as] = found?.addresses.filter(({ ip }) => isSameFamily(ip, packet.destination)) ?? []
      if (!as) return { type: 'dropped', by: 'no address for the gateway', gatewayId: target.id }
      return { type: 'outside', gatewayId: target.id, as, route, verdict }
    }
    case 'local':
    case 'ip': {
      const next = target.type === 'ip' ? target.ip : canonical(packet.destination)
      const to = network.peers.find(({ ip }) => ip === next)
      return to ? { type: 'inside', to, route, verdict } : { type: 'dropped', by: 'nobody has the address' }
    }
  }
}

/** What becomes of a packet that arrives for an interface, from inside the VPC or from outside, after NAT. */
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

function filter(network: SledNetwork, nic: NetworkInterface, packet: Filtered): FirewallVerdict {
  for (const place of nic.rules) {
    const rule = network.rules[place]
    if (rule && fits(rule, packet)) return { action: rule.action, rule }
  }
  return { action: packet.direction === 'inbound' ? 'deny' : 'allow', rule: null }
}

function fits({ direction, hosts, protocols }: NetworkRule, { far, ...packet }: Filtered): boolean {
  if (direction !== packet.direction) return false
  const isHost =
    hosts === null || (hosts.inside && far.inside) || hosts.nets.some((net) => isIn(net, far.address))
  return isHost && (protocols === null || protocols.some((one) => carries(one, packet.protocol)))
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
const isOwn = (nic: NetworkInterface, address: string): boolean =>
  canonical(address) === nic.ip || nic.transitIps.some((net) => isIn(net, address))

function isIn(net: string, address: string): boolean {
  const [network, ip] = [parseNet(net), parseIp(address)]
  return network !== undefined && ip !== undefined && contains(network, ip)
}

const isSameFamily = (a: string, b: string): boolean => parseIp(a)?.family === parseIp(b)?.family

function canonical(text: string): string {
  const address = parseIp(text)
  return address ? formatIp(address) : text
}
