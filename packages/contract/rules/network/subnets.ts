/** The address blocks that a subnet may have. */
import { boundsOf, contains, isAligned, overlaps, parseNet, type Network } from './ip.ts'

/** The reasons to refuse a block, in the order of the checks. */
export type BlockProblem = 'family' | 'private' | 'width' | 'prefix' | 'host'

const netOf = (text: string): Network => {
  const net = parseNet(text)
  if (!net) throw new Error(`not a network: ${text}`)
  return net
}
/** The ranges that an IPv4 block of a subnet is taken from (RFC 1918). */
export const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']
const privateNets = privateRanges.map(netOf)
/** The widths that an IPv4 block may have. */
export const ipv4BlockWidths = { min: 8, max: 26 } as const
/** The width of each IPv6 block. */
export const ipv6BlockWidth = 64

/** Why a network cannot be the IPv4 block of a subnet; undefined if it can. */
export function ipv4BlockProblem(net: Network): BlockProblem | undefined {
  if (net.base.family !== 4) return 'family'
  const { first, last } = boundsOf(net)
  const isPrivate = [first, last].every((value) =>
    privateNets.some((range) => contains(range, { family: 4, value })),
  )
  if (!isPrivate) return 'private'
  if (net.width < ipv4BlockWidths.min || net.width > ipv4BlockWidths.max) return 'width'
  return isAligned(net) ? undefined : 'host'
}

/** Why a network cannot be the IPv6 block of a subnet in a VPC with this prefix; undefined if it can. */
export function ipv6BlockProblem(net: Network, vpcPrefix: string): BlockProblem | undefined {
  if (net.base.family !== 6) return 'family'
  if (net.width !== ipv6BlockWidth) return 'width'
  if (!contains(netOf(vpcPrefix), net.base)) return 'prefix'
  return isAligned(net) ? undefined : 'host'
}

/** The first of these subnets whose block of the same family has addresses in common with a network. */
export const overlapping = <S extends { ipv4Block: string; ipv6Block: string }>(
  net: Network,
  subnets: readonly S[],
): S | undefined =>
  subnets.find(({ ipv4Block, ipv6Block }) =>
    overlaps(net, netOf(net.base.family === 4 ? ipv4Block : ipv6Block)),
  )
