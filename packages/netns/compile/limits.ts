/**
 * Limits of connections, so that no guest fills the table of connections that it shares with others. The table of nft with
 * them stays when others are replaced, because it counts only those that it has seen begin.
 */
import { devices } from './texts.ts'
import { edgeDevices } from './edge.ts'

/** Parts of the kernel's table of connections. The kernel needs 0.1 ms to count 8 000, for each packet above the limit. */
const shares = { interface: { part: 64, most: 4_096 }, vpc: { part: 32, most: 8_192 } } as const
/** Attempts above this rate are dropped before they are counted. */
const rate = 'limit rate over 2000/second burst 5000 packets'

export interface Limit {
  /** of the set that counts */
  name: string
  /** the connections that it is for */
  match: string
  /** what connections are counted by */
  key: 'iifname' | 'oifname' | 'ct mark'
  share: keyof typeof shares
}

const uplink = `"${edgeDevices.uplink}"`
const guest = `"${devices.everyNic}"`

/** In a VPC, each interface has a share for connections that it opens, and one for those from outside. */
export const vpcLimits: readonly Limit[] = [
  { name: 'opened', match: `iifname ${guest}`, key: 'iifname', share: 'interface' },
  { name: 'entered', match: `iifname != ${guest} oifname ${guest}`, key: 'oifname', share: 'interface' },
]

/** On the way out, each VPC has these shares, and is known by the mark that the connections of its gateways have. */
export const edgeLimits: readonly Limit[] = [
  { name: 'opened', match: `iifname != ${uplink}`, key: 'ct mark', share: 'vpc' },
  { name: 'entered', match: `iifname ${uplink}`, key: 'oifname', share: 'vpc' },
]

/** The document of limits. `room` is how many connections the kernel keeps. It may be repeated and keeps counting. */
export function limitsNftOf(limits: readonly Limit[], room: number): string {
  const mostOf = ({ part, most }: { part: number; most: number }) =>
    Math.max(1, Math.min(most, Math.floor(room / part)))
  return `${[
    'table inet purlin_limits {',
    ...limits.flatMap(({ name, key }) =>
      [name, `${name}_rate`].map(
        (set) => `set ${set} { type ${key === 'ct mark' ? 'mark' : 'ifname'}; size 65535; flags dynamic; }`,
      ),
    ),
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
