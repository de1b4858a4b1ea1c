/**
 * Limits of connections, so that no guest fills the table of connections that it shares with others. The table of nft with
 * them stays when others are replaced, because it counts only connections that it has seen begin.
 */
import { devices } from './texts.ts'
import { edgeDevices } from './edge.ts'

/** Parts of the kernel's table of connections. The kernel needs 0.1 ms to count 8 000, for each packet above the limit. */
const shares = {
  interface: { part: 64, most: 4_096 },
  vpc: { part: 32, most: 8_192 },
  host: { part: 8, most: 32_768 },
} as const
/** Attempts above this rate are dropped before they are counted. */
const rate = 'limit rate over 2000/second burst 5000 packets'

export interface Limit {
  /** of the set that counts */
  name: string
  /** the connections that it is for */
  match: string
  /** what connections are counted by */
  key: keyof typeof setTypes
  share: keyof typeof shares
}

/** The types of sets. Those of addresses forget a rate that is not used: addresses come and go, and devices stay. */
const setTypes = {
  iifname: 'type ifname; size 65535; flags dynamic;',
  oifname: 'type ifname; size 65535; flags dynamic;',
  'ct mark': 'type mark; size 65535; flags dynamic;',
  'ip daddr': 'type ipv4_addr; size 65535; flags dynamic;',
  'ip6 daddr': 'type ipv6_addr; size 65535; flags dynamic;',
} as const
const rateTypeOf = (key: keyof typeof setTypes): string =>
  key.endsWith('daddr') ? `${setTypes[key].replace('dynamic', 'dynamic,timeout')} timeout 1m;` : setTypes[key]

const uplink = `"${edgeDevices.uplink}"`
const tunnel = `"${devices.tunnel}"`
const guest = `"${devices.everyNic}"`

/** In a VPC, each interface has a share for connections that it opens, and one for those from outside. */
export const vpcLimits: readonly Limit[] = [
  { name: 'opened', match: `iifname ${guest}`, key: 'iifname', share: 'interface' },
  { name: 'entered', match: `iifname != ${guest} oifname ${guest}`, key: 'oifname', share: 'interface' },
]

/**
 * On the way out, each VPC has a share, and is known by the mark that the connections of its gateways have. So has each other host whose guests leave here. On the way in, each
 * external address has one: connections are kept before the firewall of the VPC sees them, so that anyone may use up a share.
 */
export const edgeLimits: readonly Limit[] = [
  { name: 'opened', match: `iifname != { ${uplink}, ${tunnel} }`, key: 'ct mark', share: 'vpc' },
  { name: 'carried', match: `iifname ${tunnel}`, key: 'ct mark', share: 'host' },
  { name: 'reached', match: `iifname ${uplink}`, key: 'ip daddr', share: 'interface' },
  { name: 'reached6', match: `iifname ${uplink}`, key: 'ip6 daddr', share: 'interface' },
]

/** The document of limits. `room` is how many connections the kernel keeps. It may be repeated and keeps counting. */
export function limitsNftOf(limits: readonly Limit[], room: number): string {
  const mostOf = ({ part, most }: { part: number; most: number }) =>
    Math.max(1, Math.min(most, Math.floor(room / part)))
  return `${[
    'table inet purlin_limits {',
    ...limits.flatMap(({ name, key }) => [
      `set ${name} { ${setTypes[key]} }`,
      `set ${name}_rate { ${rateTypeOf(key)} }`,
    ]),
    'chain forward { type filter hook forward priority 10; }',
    '}',
    'flush chain inet purlin_limits forward',
    'table inet purlin_limits {',
    'chain forward {',
    // A connection without an answer is new with each of its packets, and is counted once.
    'ct state != new accept',
    'ct status & confirmed == confirmed accept',
    ...limits.flatMap(({ name, match, key, share }) => [
      `${match} update @${name}_rate { ${key} ${rate} } drop`,
      `${match} add @${name} { ${key} ct count over ${mostOf(shares[share])} } drop`,
    ]),
    '}',
    '}',
  ].join('\n')}\n`
}
