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

const special = [
  { noun: 'multicast', ranges: ['224.0.0.0/4', 'ff00::/8'].map(netOf) },
  { noun: 'loopback', ranges: ['127.0.0.0/8', '::1/128'].map(netOf) },
]

const say = (net: Network) =>
  `transit IP ${net.width === bitsOf(net.base.family) ? '' : 'block '}${formatNet(net)}`

/** The networks in canonical form. Throws 400: host bits, multicast, loopback, overlap. */
export function checkTransitIps(list: readonly string[]): string[] {
  const nets = list.map((text) => {
    const net = netOf(text)
    if (!isAligned(net)) throw fault.invalid(`transit IP block ${text} has a non-zero host identifier`)
    const found = special.find(({ ranges }) => ranges.some((range) => contains(range, net.base)))
    if (found) throw fault.invalid(`${say(net)} is a ${found.noun} network`)
    return net
  })
  refuseOverlap(nets)
  return nets.map(formatNet)
}

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
