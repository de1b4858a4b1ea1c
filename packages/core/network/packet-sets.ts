/** The packets that rules fit, as sets: whether one contains another. */
import { boundsOf, parseNet } from '@purlin/contract/rules/network/ip'
import type { NetworkProtocol, NetworkRule } from './sled-network.ts'

/** Numbers from `first` to `last`; lists of them are sorted and have gaps between them. */
interface Span {
  first: bigint
  last: bigint
}
/** Addresses by family; null for all. */
type Addresses = Record<4 | 6, Span[]>

/** The packets that a rule matches, apart from direction and interfaces. Null is any. */
export interface PacketSet {
  hosts: { inside: boolean; addresses: Addresses } | null
  protocols: { tcp: Span[]; udp: Span[]; icmp: { icmpType: number | null; codes: Span }[] } | null
}

const all = { ports: { first: 0n, last: 65_535n }, codes: { first: 0n, last: 255n } } as const
const every: Addresses = {
  4: [{ first: 0n, last: 2n ** 32n - 1n }],
  6: [{ first: 0n, last: 2n ** 128n - 1n }],
}

export function packetsOf({ hosts, protocols }: Pick<NetworkRule, 'hosts' | 'protocols'>): PacketSet {
  return { hosts: hosts && hostsOf(hosts), protocols: protocols && protocolsOf(protocols) }
}

function hostsOf({ inside, nets }: NonNullable<NetworkRule['hosts']>): PacketSet['hosts'] {
  const parsed = nets.flatMap((net) => parseNet(net) ?? [])
  const of = (family: 4 | 6) => {
    const own = parsed.filter(({ base }) => base.family === family)
    return own.length === 0 ? [] : merged(own.map(boundsOf))
  }
  const addresses = { 4: of(4), 6: of(6) }
  // All addresses of both families: no restriction.
  return containsAddresses(addresses, every) ? null : { inside, addresses }
}

function protocolsOf(list: readonly NetworkProtocol[]): PacketSet['protocols'] {
  const ports = (type: 'tcp' | 'udp') =>
    merged(
      list.flatMap((one) => {
        if (one.type !== type) return []
        return one.ports === null ? [all.ports] : one.ports.map(spanOf)
      }),
    )
  const icmp = list.flatMap((one) =>
    one.type === 'icmp' ? [{ icmpType: one.icmpType, codes: one.codes ? spanOf(one.codes) : all.codes }] : [],
  )
  return { tcp: ports('tcp'), udp: ports('udp'), icmp }
}

const spanOf = ({ first, last }: { first: number; last: number }): Span => ({
  first: BigInt(first),
  last: BigInt(last),
})

/** Sorts spans and joins those that overlap or touch. */
function merged(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const { first, last } of spans.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = joined.at(-1)
    if (!before || first > before.last + 1n) joined.push({ first, last })
    else if (last > before.last) before.last = last
  }
  return joined
}

/** Both are sorted, so that one walk through them is enough. */
function containsSpans(outer: readonly Span[], inner: readonly Span[]): boolean {
  let at = 0
  for (const { first, last } of inner) {
    while ((outer[at]?.last ?? last) < last) at++
    const around = outer[at]
    if (!around || around.first > first) return false
  }
  return true
}

const containsAddresses = (outer: Addresses, inner: Addresses): boolean =>
  containsSpans(outer[4], inner[4]) && containsSpans(outer[6], inner[6])

/** True only if every packet of `inner` is one of `outer`. It may be false although several spans together contain it. */
export const containsAll = (outer: PacketSet, inner: PacketSet): boolean =>
  containsProtocols(outer.protocols, inner.protocols) && containsHosts(outer.hosts, inner.hosts)

function containsHosts(outer: PacketSet['hosts'], inner: PacketSet['hosts']): boolean {
  if (outer === null) return true
  // A packet from inside may have any address, and one from outside an address that is used inside.
  if (inner === null || (inner.inside && !outer.inside)) return false
  return containsAddresses(outer.addresses, inner.addresses)
}

function containsProtocols(outer: PacketSet['protocols'], inner: PacketSet['protocols']): boolean {
  if (outer === null) return true
  if (inner === null) return false
  if (!containsSpans(outer.tcp, inner.tcp) || !containsSpans(outer.udp, inner.udp)) return false
  return inner.icmp.every(({ icmpType, codes }) =>
    outer.icmp.some(
      (one) => (one.icmpType === null || one.icmpType === icmpType) && containsSpans([one.codes], [codes]),
    ),
  )
}
