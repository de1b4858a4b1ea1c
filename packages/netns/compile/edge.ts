/** The way between the VPCs of a host and its outside, as a document of nft and commands of ip. */
import type { SledNetwork } from '@purlin/core/ports'
import { gatewaysOf } from './gateways.ts'
import type { Routing } from './routing.ts'
import { routeProtocol } from './routing.ts'
import { setOf } from './rules.ts'
import { othersDevice, type OtherHost } from './ways.ts'
import {
  addressIn,
  families,
  familyOf,
  isWithin,
  netIn,
  numberIn,
  shortOf,
  wordOf,
  type Family,
} from './texts.ts'

/** The devices of the way out, in its namespace. */
export const edgeDevices = {
  /** towards the entry of a VPC */
  entry: (vpcId: string): string => `u${shortOf(vpcId)}`,
  /** of a gateway of a VPC */
  gateway: (gatewayId: string): string => `h${shortOf(gatewayId)}`,
  /** towards the host */
  uplink: 'uplink',
} as const

/** The addresses of a VPC's entry, as the way out sees it: they have no other meaning. */
export const entryAddress: Record<Family, string> = { 4: '169.254.1.2', 6: 'fe80::2' }
const mostVni = 2 ** 24 - 1
const firstTable = 2_000
const tableOf = ({ vni }: SledNetwork) => firstTable + Number(numberIn(vni, mostVni))
const markOf = (network: SledNetwork) => tableOf(network)

/** Of others, this host only leads addresses. */
const withGuests = (networks: readonly SledNetwork[]) =>
  networks.filter(({ interfaces }) => interfaces.length > 0)

/** The devices of a VPC on the way out. */
const devicesOf = (network: SledNetwork): string[] => [
  edgeDevices.entry(network.vpcId),
  ...gatewaysOf(network).map(edgeDevices.gateway),
]

/** Blocks beyond the host that guests do not reach, unless they are named: those of private networks. */
const privateBlocks = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

/** The places beyond the host, as guests may use them. */
export interface Beyond {
  /** Blocks that guests reach although they are private or the host's own. */
  reach: readonly string[]
  /** The addresses of DNS servers, which guests may ask. */
  resolvers: readonly string[]
  /** The blocks that the host's devices are in. */
  own: readonly string[]
}

/** Decides about new connections that leave this host. */
function outward({ reach, resolvers, own }: Beyond): string[] {
  return families.flatMap((family) => {
    const to = (blocks: readonly string[], rest: string) => {
      const nets = blocks.map(netIn).filter((one) => familyOf(one) === family)
      return nets.length > 0 ? [`${wordOf(family)} daddr ${setOf([...new Set(nets)])} ${rest}`] : []
    }
    return [
      ...to(resolvers, 'meta l4proto { tcp, udp } th dport 53 accept'),
      ...to(reach, 'accept'),
      ...to([...privateBlocks, ...own], 'drop'),
    ]
  })
}

/**
 * An answer goes back to the VPC or the other host that the connection has come from: several VPCs may leave with one address,
 * each with a part of its ports.
 */
export function edgeNftOf(
  networks: readonly SledNetwork[],
  beyond: Beyond,
  others: readonly OtherHost[] = [],
): string {
  const marks = withGuests(networks).flatMap((network) =>
    devicesOf(network).map((device) => `"${device}" : ${markOf(network)}`),
  )
  const uplink = `"${edgeDevices.uplink}"`
  return `${[
    'table inet purlin {}',
    'delete table inet purlin',
    'table inet purlin {',
    'chain origin {',
    'type filter hook prerouting priority -150',
    ...(marks.length > 0 ? [`ct state new ct mark set iifname map ${setOf(marks)}`] : []),
    ...(others.length > 0
      ? [
          `ct state new iifname "${othersDevice}" ct mark set ether saddr map ${setOf(others.map(({ mac, mark }) => `${mac} : ${mark}`))}`,
        ]
      : []),
    'ct direction reply meta mark set ct mark',
    '}',
    'chain outward {',
    ...outward(beyond),
    '}',
    'chain forward {',
    'type filter hook forward priority 0',
    'policy drop',
    `iifname ${uplink} oifname ${uplink} drop`,
    // The host is answered.
    'ct direction reply ct state established,related accept',
    'ip daddr { 127.0.0.0/8, 169.254.0.0/16 } drop',
    'ip6 daddr { ::1, fe80::/10 } drop',
    `oifname ${uplink} jump outward`,
    'accept',
    '}',
    // Its addresses are for the way between it and the host.
    'chain own {',
    'type filter hook input priority 0',
    'policy drop',
    `iifname ${uplink} icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept`,
    '}',
    '}',
  ].join('\n')}\n`
}

/** External addresses that a host leads to guests, its own and those of other hosts, within blocks: null for any. */
export function externalAddresses(
  networks: readonly SledNetwork[],
  blocks: readonly string[] | null,
): string[] {
  const nats = networks.flatMap(({ interfaces }) => interfaces.map(({ nat }) => nat))
  const all = nats.flatMap(({ inbound, outbound }) =>
    [inbound, ...outbound.map((one) => one.addresses)].flat(),
  )
  const elsewhere = new Set(networks.flatMap(({ away = [] }) => away.map(({ ip }) => addressIn(ip))))
  const led = networks.flatMap((network) => network.led ?? [])
  const here = [...new Set([...all, ...led].map(({ ip }) => addressIn(ip)))].toSorted()
  const own = here.filter((one) => !elsewhere.has(one))
  return blocks === null ? own : own.filter((one) => blocks.some((block) => isWithin(one, block)))
}

/**
 * The routes to the guests of all VPCs, and to other hosts. `hosts` are the addresses of the host at the other end of the uplink.
 */
export function edgeRoutingOf(
  networks: readonly SledNetwork[],
  hosts: Readonly<Partial<Record<Family, string>>>,
  others: readonly OtherHost[] = [],
): Routing {
  const routing: Routing = { 4: [], 6: [] }
  for (const family of families) {
    const lines = routing[family]
    const seen = new Set<string>()
    for (const network of withGuests(networks)) {
      const to = `via ${entryAddress[family]} dev ${edgeDevices.entry(network.vpcId)} onlink`
      for (const net of inboundOf(network).filter((one) => familyOf(one) === family && !seen.has(one))) {
        seen.add(net)
        lines.push(`route add ${net} ${to} proto ${routeProtocol}`)
      }
      lines.push(
        `route add default ${to} table ${tableOf(network)} proto ${routeProtocol}`,
        `rule add pref 100 fwmark ${markOf(network)} lookup ${tableOf(network)} protocol ${routeProtocol}`,
      )
    }
    const host = hosts[family]
    if (host !== undefined)
      lines.push(`route add default via ${host} dev ${edgeDevices.uplink} onlink proto ${routeProtocol}`)
  }
  routing[4].push(...routesBetween(networks, others))
  return routing
}

/** The external addresses at which guests here are reached. */
const inboundOf = ({ interfaces }: SledNetwork): string[] =>
  interfaces.flatMap(({ nat }) => nat.inbound.map((one) => netIn(one.ip)))

/** Packets of guests here leave by the host that leads their address, unless they are for a guest here. */
function routesBetween(networks: readonly SledNetwork[], others: readonly OtherHost[]): string[] {
  const at = new Map(others.map((one) => [one.address, one]))
  const own = `protocol ${routeProtocol}`
  const lines = others.flatMap(({ hop, mark }) => [
    `route add default via ${hop} dev ${othersDevice} onlink table ${mark} proto ${routeProtocol}`,
    `rule add pref 100 fwmark ${mark} lookup ${mark} ${own}`,
  ])
  // An address that moves to another VPC is in both for a moment.
  const seen = new Set(withGuests(networks).flatMap(inboundOf))
  for (const network of networks) {
    for (const { ip, address } of network.away ?? []) {
      const other = at.get(addressIn(address))
      if (!other) continue
      for (const device of devicesOf(network)) {
        const from = `from ${addressIn(ip)} iif ${device}`
        lines.push(
          `rule add pref 105 ${from} lookup main suppress_prefixlength 0 ${own}`,
          `rule add pref 110 ${from} lookup ${other.mark} ${own}`,
        )
      }
    }
    for (const { ip, address, isShared } of network.led ?? []) {
      const other = at.get(addressIn(address))
      const net = netIn(ip)
      if (!other || isShared || seen.has(net)) continue
      seen.add(net)
      lines.push(`route add ${net} via ${other.hop} dev ${othersDevice} onlink proto ${routeProtocol}`)
    }
  }
  return lines
}

/** Keeps guests from the host itself, which reaches them and is answered. */
export const hostNftOf = (table: string, device: string): string =>
  [
    `table inet ${table} {}`,
    `delete table inet ${table}`,
    `table inet ${table} {`,
    'chain input {',
    'type filter hook input priority -10',
    `iifname "${device}" ct state established,related accept`,
    `iifname "${device}" icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept`,
    `iifname "${device}" drop`,
    '}',
    '}\n',
  ].join('\n')
