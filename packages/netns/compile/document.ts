/**
 * The firewall, the source and destination checks and the address translation of a VPC, as one document of nft, which the kernel
 * takes as a whole or not at all. It is made of the network that is pushed to sleds, which explanations are computed from as well.
 */
import type { NetworkInterface, SledNetwork, VmAddress } from '@purlin/core/ports'
import { gatewaysOf } from './gateways.ts'
import { setOf, statementsOf, type Chain } from './rules.ts'
import {
  addressIn,
  devices,
  families,
  familyOf,
  isSingle,
  macIn,
  netIn,
  rangeIn,
  wordOf,
  type Family,
} from './texts.ts'

const quoted = (name: string) => `"${name}"`
const nicName = ({ id }: NetworkInterface) => quoted(devices.nic(id))
/** A list of lines if there is something for a set, which must not be empty. */
const withSet = (members: readonly string[], line: (set: string) => string): string[] =>
  members.length > 0 ? [line(setOf(members))] : []

const mostPort = 65_535
/** Nothing is forwarded, and nothing reaches the namespace itself. */
const nothing = ['policy drop']

/** The document while routes change: it denies all, also to connections that exist. */
export const denyAll = documentOf([
  base('forward', 'filter hook forward priority 0', nothing),
  base('own', 'filter hook input priority 0', nothing),
])

/** The document that enforces a network. Throws if a text of the network is malformed. */
export function nftOf(network: SledNetwork): string {
  const gateways = gatewaysOf(network)
  const outside = setOf([devices.entry, ...gateways.map(devices.gateway)].map(quoted))
  const lists = ruleListsOf(network.interfaces)
  const chains = [
    { name: 'pass', lines: [`ct mark set ${markOf(network)}`, 'accept'] },
    ...lists.flatMap((list) => chainsOf(network, list, outside)),
    { name: 'asking', lines: network.interfaces.map(otherAsker) },
    base('source', 'filter hook prerouting priority -310', sourceCheck(network.interfaces, outside)),
    base('unkept', 'filter hook prerouting priority -300', [toDhcp]),
    base('unkeptReplies', 'filter hook output priority -300', ['udp sport 67 notrack']),
    { name: 'destination', lines: ofInterfaces(network.interfaces, receiver) },
    base('forward', 'filter hook forward priority 0', forward({ network, gateways, outside, lists })),
    base('own', 'filter hook input priority 0', own(outside)),
    base('replies', 'filter hook output priority 0', replies),
    base('entering', 'nat hook prerouting priority -100', entering(network.interfaces, outside)),
    base('leaving', 'nat hook postrouting priority 100', leaving(network.interfaces, gateways)),
  ]
  return documentOf(chains, arpCheck(network.interfaces))
}

/** The mark of connections that these rules have let through: after a change, others are checked again. */
const markOf = ({ version }: SledNetwork): number => (version % 0xffff_fffe) + 1

function base(name: string, hook: string, lines: readonly string[]): Chain {
  return { name, lines: [`type ${hook}`, ...lines] }
}

function documentOf(chains: readonly Chain[], arp: readonly Chain[] = []): string {
  const table = (family: string, list: readonly Chain[]) => [
    `table ${family} purlin {}`,
    `delete table ${family} purlin`,
    `table ${family} purlin {`,
    ...list.flatMap(({ name, lines }) => [`chain ${name} {`, ...lines, '}']),
    '}',
  ]
  return `${[...table('inet', chains), ...table('arp', arp)].join('\n')}\n`
}

/** Interfaces with the same rules share chains. */
interface RuleList {
  out: string
  into: string
  places: readonly number[]
  of: NetworkInterface[]
}

function ruleListsOf(interfaces: readonly NetworkInterface[]): RuleList[] {
  const byRules = Map.groupBy(interfaces, ({ rules }) => rules.join())
  return [...byRules.values()].map((of, i) => ({
    out: `out${i}`,
    into: `into${i}`,
    places: of[0]?.rules ?? [],
    of,
  }))
}

function chainsOf({ rules }: SledNetwork, { out, into, places }: RuleList, outside: string): Chain[] {
  const own = places.flatMap((place) => rules[place] ?? [])
  return [
    { name: out, lines: statementsOf(own, 'outbound', outside) },
    { name: into, lines: [...statementsOf(own, 'inbound', outside), 'drop'] },
  ]
}

/** The single addresses of an interface, and the networks that it has in addition. */
function addressesOf({ ip, transitIps }: NetworkInterface, family: Family) {
  const all = [ip, ...transitIps].filter((one) => familyOf(one) === family)
  return {
    single: [...new Set(all.filter(isSingle).map((one) => netIn(one).replace(/\/.*/, '')))],
    nets: all.filter((one) => !isSingle(one)).map(netIn),
  }
}

interface AddressCheck {
  device: 'iifname' | 'oifname'
  end: 'saddr' | 'daddr'
  verdict: 'accept' | 'return'
}

/** Ends a chain with `verdict` for the addresses that interfaces have, and drops the rest. */
function ofInterfaces(
  interfaces: readonly NetworkInterface[],
  { device, end, verdict }: AddressCheck,
): string[] {
  const lines = families.flatMap((family) => {
    const word = wordOf(family)
    const exact = interfaces.flatMap((nic) =>
      addressesOf(nic, family).single.map((one) => `${nicName(nic)} . ${one}`),
    )
    const wide = interfaces.flatMap((nic) =>
      withSet(
        addressesOf(nic, family).nets,
        (nets) => `${device} ${nicName(nic)} ${word} ${end} ${nets} ${verdict}`,
      ),
    )
    return [...withSet(exact, (set) => `${device} . ${word} ${end} ${set} ${verdict}`), ...wide]
  })
  return [...lines, 'drop']
}
const sender: AddressCheck = { device: 'iifname', end: 'saddr', verdict: 'accept' }
const receiver: AddressCheck = { device: 'oifname', end: 'daddr', verdict: 'return' }

/** A request for an address has the MAC address again: with that of another guest, it could decline the other's address. */
const otherAsker = (nic: NetworkInterface): string =>
  `iifname ${nicName(nic)} @th,288,48 != 0x${macIn(nic.mac).replaceAll(':', '')} drop`

/** A guest sends from its MAC address and its addresses only, except while it asks for one. */
function sourceCheck(interfaces: readonly NetworkInterface[], outside: string): string[] {
  const pairs = interfaces.map((nic) => `${nicName(nic)} . ${macIn(nic.mac)}`)
  return [
    'policy drop',
    `iifname ${outside} accept`,
    ...withSet(pairs, (set) => `iifname . ether saddr != ${set} drop`),
    'udp dport 67 jump asking',
    'ip saddr 0.0.0.0 udp sport 68 udp dport 67 accept',
    'ip6 saddr { ::, fe80::/64 } icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept',
    ...ofInterfaces(interfaces, sender),
  ]
}

/** The namespace knows where each address is, and is not to be talked into anything else. */
function arpCheck(interfaces: readonly NetworkInterface[]): Chain[] {
  const allowed = interfaces.flatMap((nic) =>
    [...new Set(['0.0.0.0', ...(familyOf(nic.ip) === 4 ? [addressIn(nic.ip)] : [])])].map(
      (ip) => `${nicName(nic)} . ${macIn(nic.mac)} . ${ip}`,
    ),
  )
  return [
    base('in', 'filter hook input priority 0', [
      'policy drop',
      ...withSet(allowed, (set) => `iifname . arp saddr ether . arp saddr ip ${set} accept`),
    ]),
  ]
}

interface Forwarding {
  network: SledNetwork
  gateways: readonly string[]
  outside: string
  lists: readonly RuleList[]
}

function forward({ network, gateways, outside, lists }: Forwarding): string[] {
  const verdicts = (way: 'out' | 'into') =>
    lists.flatMap((list) => list.of.map((nic) => `${nicName(nic)} : jump ${list[way]}`))
  const noWay = families.flatMap((family) =>
    withSet(
      network.interfaces.flatMap((nic) =>
        gateways
          .filter((id) => !wayOut(nic, id, family))
          .map((id) => `${nicName(nic)} . ${quoted(devices.gateway(id))}`),
      ),
      (set) => `meta nfproto ipv${family} iifname . oifname ${set} drop`,
    ),
  )
  return [
    'policy drop',
    'ct state related accept',
    'ct direction reply ct state established accept',
    `ct state established ct mark ${markOf(network)} accept`,
    // Their addresses would not be translated.
    `oifname ${outside} ct state invalid drop`,
    `iifname ${outside} oifname ${outside} drop`,
    `oifname != ${outside} jump destination`,
    ...noWay,
    ...withSet(verdicts('out'), (set) => `iifname vmap ${set}`),
    ...withSet(verdicts('into'), (set) => `oifname vmap ${set}`),
    `oifname ${outside} goto pass`,
  ]
}

/** Of these, the kernel keeps no connections: a guest with many addresses would fill the table that it shares. */
const toDhcp = 'udp dport 67 fib daddr type { local, broadcast } notrack'

/** The namespace itself answers requests for addresses and neighbours, and nothing else. */
const own = (outside: string): string[] => [
  'policy drop',
  `iifname ${outside} drop`,
  'udp sport 68 udp dport 67 accept',
  'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept',
]
const replies = [
  'policy drop',
  'udp sport 67 accept',
  'icmp type { destination-unreachable, time-exceeded, parameter-problem } accept',
  'meta l4proto ipv6-icmp accept',
]

/** The address that a packet of an interface leaves with by a gateway: the first of its family. */
const wayOut = ({ nat }: NetworkInterface, gatewayId: string, family: Family): VmAddress | undefined =>
  nat.outbound.find((one) => one.gatewayId === gatewayId)?.addresses.find(({ ip }) => familyOf(ip) === family)

function entering(interfaces: readonly NetworkInterface[], outside: string): string[] {
  return families.flatMap((family) => {
    const pairs = interfaces
      .filter(({ ip }) => familyOf(ip) === family)
      .flatMap(({ ip, nat }) =>
        nat.inbound
          .filter((one) => familyOf(one.ip) === family)
          .map((one) => [addressIn(one.ip), addressIn(ip)] as const),
      )
    const word = wordOf(family)
    const map = [...new Map(pairs)].map(([from, to]) => `${from} : ${to}`)
    return withSet(map, (set) => `iifname ${outside} dnat ${word} to ${word} daddr map ${set}`)
  })
}

function leaving(interfaces: readonly NetworkInterface[], gateways: readonly string[]): string[] {
  return interfaces.flatMap((nic) =>
    gateways.flatMap((id) =>
      families.flatMap((family) => {
        const as = wayOut(nic, id, family)
        if (!as) return []
        const match = `oifname ${quoted(devices.gateway(id))} iifname ${nicName(nic)} meta nfproto ipv${family}`
        const to = `snat ${wordOf(family)} to ${family === 4 ? addressIn(as.ip) : `[${addressIn(as.ip)}]`}`
        return as.kind === 'snat'
          ? [`${match} meta l4proto { tcp, udp, icmp, ipv6-icmp } ${to}:${portsOf(as)}`, `${match} ${to}`]
          : [`${match} ${to}`]
      }),
    ),
  )
}

/** Port 0 is none. */
const portsOf = ({ firstPort, lastPort }: VmAddress): string =>
  rangeIn({ first: Math.max(1, firstPort), last: lastPort }, mostPort)
