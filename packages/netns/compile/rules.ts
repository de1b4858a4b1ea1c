/** The firewall rules of a VPC as statements of nft. */
import type { NetworkRule } from '@purlin/core/ports'
import { families, familyOf, netIn, numberIn, rangeIn, wordOf } from './texts.ts'

const mostPort = 65_535
const mostOfIcmp = 255

/** A chain of nft: its name and its lines. */
export interface Chain {
  name: string
  lines: string[]
}

/** A set of nft with these members. */
export const setOf = (members: readonly string[]): string => `{ ${members.join(', ')} }`

/** A list of lines if there is something for a set, which must not be empty. */
export const withSet = (members: readonly string[], line: (set: string) => string): string[] =>
  members.length > 0 ? [line(setOf(members))] : []

/**
 * Statements for the rules of one direction, in order: the first that a packet fits decides. `outside` is the set of devices
 * towards the outside. A packet that fits none returns.
 */
export function statementsOf(
  rules: readonly NetworkRule[],
  direction: NetworkRule['direction'],
  outside: string,
): string[] {
  return rules
    .filter((rule) => rule.direction === direction)
    .flatMap((rule) => {
      const verdict = rule.action === 'deny' ? 'drop' : direction === 'inbound' ? 'goto pass' : 'return'
      const ends = endsOf(rule, outside)
      return ends.flatMap((end) => protocolsOf(rule).map((one) => [...end, ...one, verdict].join(' ')))
    })
}

/** The conditions on the other end: one of them is enough, and an empty one always holds. */
function endsOf({ direction, hosts }: NetworkRule, outside: string): string[][] {
  if (hosts === null) return [[]]
  const [device, far] = direction === 'inbound' ? ['iifname', 'saddr'] : ['oifname', 'daddr']
  const byNets = families.flatMap((family) => {
    const nets = hosts.nets.filter((net) => familyOf(net) === family)
    return nets.length > 0 ? [[`${wordOf(family)} ${far} ${setOf(nets.map(netIn))}`]] : []
  })
  return [...(hosts.inside ? [[`${device} != ${outside}`]] : []), ...byNets]
}

function protocolsOf({ protocols }: NetworkRule): string[][] {
  if (protocols === null) return [[]]
  return protocols.flatMap((one) => {
    if (one.type !== 'icmp') {
      const { type, ports } = one
      if (ports === null) return [[`meta l4proto ${type}`]]
      return ports.length > 0
        ? [[`${type} dport ${setOf(ports.map((each) => rangeIn(each, mostPort)))}`]]
        : []
    }
    const { icmpType, codes } = one
    return (['icmp', 'icmpv6'] as const).map((word) => {
      if (icmpType === null) return [`meta l4proto ${word === 'icmp' ? 'icmp' : 'ipv6-icmp'}`]
      const type = `${word} type ${numberIn(icmpType, mostOfIcmp)}`
      return codes ? [type, `${word} code ${rangeIn(codes, mostOfIcmp)}`] : [type]
    })
  })
}
