/**
 * The way between the edges of hosts, for external addresses that another host leads than that of their guest. The host of the guest
 * translates addresses, applies rules and keeps what belongs to a VPC; the other one lets packets in and out.
 */
import { createHash } from 'node:crypto'
import type { SledNetwork } from '@purlin/core/ports'
import { addressIn, devices, familyOf, macIn } from './texts.ts'

/** The VNI between edges. Those of VPCs are larger. */
export const edgeVni = 1

/** Another host, as the edge of this one knows it. */
export interface OtherHost {
  address: string
  /** of its edge's device */
  mac: string
  /** Its next hop, which has a meaning in this namespace only. */
  hop: string
  /** of connections that have come from it, and of the table of routes to it */
  mark: number
}

const hashOf = (address: string) => createHash('sha256').update(address).digest()

/** The MAC address of the device of a host's edge, which others know as well. */
export const edgeMac = (address: string): string =>
  macIn(['06', ...(hashOf(address).subarray(0, 5).toString('hex').match(/../g) ?? [])].join(':'))

/** Different from those of VPCs, and always the same for a host, as connections keep it. */
const markOf = (address: string): number => 2 ** 31 + (hashOf(address).readUInt32BE(5) >>> 1)

/** Between two edges, the packets with one of these addresses of guests. */
export interface Carried {
  ip: string
  /** of the other host */
  address: string
  /** The end of a packet from the other host that has this address. */
  end: 'source' | 'destination'
}

/** The external addresses that cross tunnels of a host with this address; none without one. Throws if a text is malformed. */
export function carriedFor(networks: readonly SledNetwork[], own: string | undefined): Carried[] {
  if (own === undefined) return []
  const all = networks.flatMap(({ away = [], led = [] }): Carried[] => [
    ...away.map((one) => ({ ...one, end: 'destination' as const })),
    ...led.map(({ ip, address }) => ({ ip, address, end: 'source' as const })),
  ])
  return all
    .map(({ ip, address, end }) => ({ ip: addressIn(ip), address: addressIn(address), end }))
    .filter(({ ip, address }) => familyOf(ip) === 4 && familyOf(address) === familyOf(own) && address !== own)
}

const mostHosts = 2 ** 14

/** The hosts at the other ends, each once. */
export function othersIn(carried: readonly Carried[]): OtherHost[] {
  const addresses = [...new Set(carried.map(({ address }) => address))].toSorted()
  if (addresses.length > mostHosts) throw new Error('a network has too many hosts')
  return addresses.map((address, i) => ({
    address,
    mac: edgeMac(address),
    hop: `169.254.${192 + (i >> 8)}.${i & 255}`,
    mark: markOf(address),
  }))
}

/** The device of the edge towards other hosts. */
export const othersDevice = devices.tunnel
