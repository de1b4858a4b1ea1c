/** Transit IPs: further networks for which an interface may send and receive. */
import {
  bitsOf,
  boundsOf,
  contains,
  formatNet,
  isAligned,
  overlaps,
  type Network,
} from '@purlin/contract/rules/network/ip'
import { fault } from '#/faults.ts'
import { netOf } from './allocation.ts'
import { specialNoun } from './special-ranges.ts'

const say = (net: Network) =>
  `transit IP ${net.width === bitsOf(net.base.family) ? '' : 'block '}${formatNet(net)}`

/** The networks in canonical form. Throws 400: host bits, special addresses, overlap. */
export function checkTransitIps(list: readonly string[]): string[] {
  const nets = list.map((text) => {
    const net = netOf(text)
    if (!isAligned(net)) throw fault.invalid(`transit IP block ${text} has a non-zero host identifier`)
    const noun = specialNoun((range) => isTransitIn(range, net))
    if (noun) throw fault.invalid(`${say(net)} is a ${noun} network`)
    return net
  })
  refuseOverlap(nets)
  return nets.map(formatNet)
}

// A gateway may name all addresses: 0.0.0.0/0, or 0.0.0.0/1 and 128.0.0.0/1.
const isTransitIn = (range: Network, net: Network) =>
  contains(range, net.base) && (net.width >= range.width || net.base.value > 0n)

// In order of their first address, networks that overlap at all include two neighbours that do.
function refuseOverlap(nets: readonly Network[]): void {
  const sorted = nets
    .map((net) => ({ net, first: boundsOf(net).first }))
    .toSorted(
      (a, b) =>
        a.net.base.family - b.net.base.family ||
        (a.first < b.first ? -1 : a.first > b.first ? 1 : a.net.width - b.net.width),
    )
  for (const [i, { net }] of sorted.entries()) {
    const before = sorted[i - 1]?.net
    if (before && overlaps(before, net)) throw fault.invalid(`${say(net)} overlaps with ${formatNet(before)}`)
  }
}
