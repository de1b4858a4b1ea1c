/** The translation of addresses of a VPC, as lines of nft. */
import type { NetworkInterface, VmAddress } from '@purlin/core/ports'
import { withSet } from './rules.ts'
import { addressIn, devices, families, familyOf, rangeIn, wordOf, type Family } from './texts.ts'

const mostPort = 65_535

/** The address that a packet of an interface leaves with by a gateway: the first of its family. */
export const wayOut = ({ nat }: NetworkInterface, gatewayId: string, family: Family): VmAddress | undefined =>
  nat.outbound.find((one) => one.gatewayId === gatewayId)?.addresses.find(({ ip }) => familyOf(ip) === family)

export function entering(interfaces: readonly NetworkInterface[], outside: string): string[] {
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

export function leaving(interfaces: readonly NetworkInterface[], gateways: readonly string[]): string[] {
  return interfaces.flatMap((nic) =>
    gateways.flatMap((id) =>
      families.flatMap((family) => {
        const as = wayOut(nic, id, family)
        if (!as) return []
        const match = `oifname "${devices.gateway(id)}" iifname "${devices.nic(nic.id)}" meta nfproto ipv${family}`
        const to = `snat ${wordOf(family)} to`
        const plain = `${match} ${to} ${addressOf(as)}`
        return as.kind === 'snat'
          ? [`${match} meta l4proto { tcp, udp, icmp, ipv6-icmp } ${to} ${sourceOf(as)}`, plain]
          : [plain]
      }),
    ),
  )
}

const addressOf = ({ ip }: VmAddress): string => (familyOf(ip) === 4 ? addressIn(ip) : `[${addressIn(ip)}]`)

/** The address with its ports, if they are not all. Port 0 is none. */
export const sourceOf = (as: VmAddress): string =>
  as.kind === 'snat'
    ? `${addressOf(as)}:${rangeIn({ first: Math.max(1, as.firstPort), last: as.lastPort }, mostPort)}`
    : addressOf(as)
