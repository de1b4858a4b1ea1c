/**
 * The firewall, the source and destination checks and the address translation of a VPC, as one document of nft, which the kernel
 * takes as a whole or not at all. It is made of the network that is pushed to sleds, which explanations are computed from as well.
 */
import type { NetworkInterface, SledNetwork } from '@purlin/core/ports'
import { gatewaysOf } from './gateways.ts'
import { entering, leaving, wayOut } from './nat.ts'
import { ownNames, tooManyNames, unkeptNames, type Names } from './names.ts'
import { setOf, statementsOf, withSet, type Chain } from './rules.ts'
import { arrivingNftOf, type RemotePeer } from './tunnel.ts'
import {
  addressIn,
  devices,
  families,
  familyOf,
  isSingle,
  macIn,
  netIn,
  plainIn,
  wordOf,
  type Family,
} from './texts.ts'

const quoted = (name: string) => `"${name}"`
const nicName = ({ id }: NetworkInterface) => quoted(devices.nic(id))

/** Nothing is forwarded, and nothing reaches the namespace itself. */
const nothing = ['policy drop']

/** The document while routes change: it denies all, also to connections that exist. */
export const denyAll = documentOf([
  base('forward', 'filter hook forward priority 0', nothing),
  base('own', 'filter hook input priority 0', nothing),
])

/** Around the guests of a VPC here. */
export interface Around {
  /** The guests of other hosts: those enforce their rules themselves. */
  remote?: readonly RemotePeer[]
  names?: Names | undefined
}

/** The document that enforces a network. Throws if a text of the network is malformed. */
export function nftOf(network: SledNetwork, { remote = [], names }: Around = {}): string {
  const gateways = gatewaysOf(network)
  const towards = [devices.entry, ...gateways.map(devices.gateway)].map(quoted)
  const outside = setOf(towards)
  const hasTunnel = remote.length > 0
  const away = hasTunnel ? setOf([...towards, quoted(devices.tunnel)]) : outside
  const lists = ruleListsOf(network.interfaces)
  const unkept = names ? unkeptNames(names) : { questions: [], answers: [] }
  const chains = [
    { name: 'pass', lines: [`ct mark set ${markOf(network)}`, 'accept'] },
    ...lists.flatMap((list) => chainsOf(network, list, outside)),
    { name: 'asking', lines: network.interfaces.map(otherAsker) },
    ...(hasTunnel ? [{ name: 'carried', lines: carried(remote) }] : []),
    base('source', 'filter hook prerouting priority -310', [
      'policy drop',
      ...(hasTunnel ? [`iifname ${quoted(devices.tunnel)} goto carried`] : []),
      ...sourceCheck(network.interfaces, outside),
    ]),
    base('unkept', 'filter hook prerouting priority -300', [...toDhcp, ...unkept.questions]),
    base('unkeptReplies', 'filter hook output priority -300', [
      'udp sport { 67, 547 } notrack',
      ...unkept.answers,
    ]),
    { name: 'destination', lines: ofInterfaces(network.interfaces, receiver) },
    base('forward', 'filter hook forward priority 0', forward({ network, gateways, outside, away, lists })),
    base('own', 'filter hook input priority 0', own(away, names !== undefined)),
    base('replies', 'filter hook output priority 0', [
      ...replies,
      ...(names ? [ownNames.answers, ...ownNames.toServers(names)] : []),
    ]),
    base('entering', 'nat hook prerouting priority -100', entering(network.interfaces, outside)),
    base('leaving', 'nat hook postrouting priority 100', [
      ...leaving(network.interfaces, gateways),
      ...(names ? ownNames.leaving(names) : []),
    ]),
  ]
  const document = documentOf(chains, arpCheck(network.interfaces))
  return hasTunnel ? `${document}${arrivingNftOf(network)}` : document
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
    single: [...new Set(all.filter(isSingle).map(plainIn))],
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
    `iifname ${outside} accept`,
    ...withSet(pairs, (set) => `iifname . ether saddr != ${set} drop`),
    'udp dport 67 jump asking',
    'ip saddr 0.0.0.0 udp sport 68 udp dport 67 accept',
    ...onLink(interfaces),
    tooManyNames,
    ...ofInterfaces(interfaces, sender),
  ]
}

/** Of guests: who has an address, and who is a router. */
const neighbourTypes = 'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit }'
/** With many addresses, a guest would fill the table of neighbours, which all namespaces share. */
const tooMany = `${neighbourTypes} meter askers { iifname limit rate over 10/second burst 50 packets } drop`
const toAllServers = 'ip6 daddr ff02::1:2 udp sport 546 udp dport 547'

/** A guest with IPv6 has an address on its link as well, which it has made itself. */
function onLink(interfaces: readonly NetworkInterface[]): string[] {
  const nics = interfaces.filter(({ ip }) => familyOf(ip) === 6).map(nicName)
  const lines = [`ip6 saddr { ::, fe80::/64 } ${neighbourTypes}`, `ip6 saddr fe80::/64 ${toAllServers}`]
  return [tooMany, ...lines.flatMap((line) => withSet(nics, (set) => `iifname ${set} ${line} accept`))]
}

/** Guests of other hosts send from their addresses only. Which host may send from which is checked before, where it is known. */
const carried = (remote: readonly RemotePeer[]): string[] => [
  ...families.flatMap((family) => {
    const of = [...new Set(remote.flatMap(({ sources }) => sources))].filter(
      (one) => familyOf(one) === family,
    )
    const match = `${wordOf(family)} saddr`
    return [
      ...withSet(of.filter(isSingle), (set) => `${match} ${set} accept`),
      ...of.filter((one) => !isSingle(one)).map((net) => `${match} ${net} accept`),
    ]
  }),
  'drop',
]

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
  /** The devices towards the outside and other hosts. */
  away: string
  lists: readonly RuleList[]
}

function forward({ network, gateways, outside, away, lists }: Forwarding): string[] {
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
    `iifname ${away} oifname ${away} drop`,
    `oifname != ${away} jump destination`,
    ...noWay,
    ...withSet(verdicts('out'), (set) => `iifname vmap ${set}`),
    ...withSet(verdicts('into'), (set) => `oifname vmap ${set}`),
    `oifname ${away} goto pass`,
  ]
}

/** Of these, the kernel keeps no connections: a guest with many addresses would fill the table that it shares. */
const toDhcp = ['udp dport 67 fib daddr type { local, broadcast } notrack', `${toAllServers} notrack`]

/** The namespace itself answers requests for addresses, neighbours and names, and nothing else. */
const own = (away: string, hasNames: boolean): string[] => [
  'policy drop',
  ...(hasNames ? [ownNames.fromServers, ownNames.questions] : []),
  `iifname ${away} drop`,
  'udp sport 68 udp dport 67 accept',
  `${toAllServers} accept`,
  `${neighbourTypes} accept`,
]
const replies = [
  'policy drop',
  'udp sport { 67, 547 } accept',
  'icmp type { destination-unreachable, time-exceeded, parameter-problem } accept',
  // No redirects: guests would look for others on their link.
  'icmpv6 type { destination-unreachable, packet-too-big, time-exceeded, parameter-problem } accept',
  'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-advert } accept',
]
