/** The ways between sleds: tunnels, and the external addresses that another sled leads than that of their guest. */
import { contains, parseIp, type Network } from '@purlin/contract/rules/network/ip'
import type { VpcNetwork } from './model.ts'
import type { NetworkTunnel, SledNetwork } from './sled-network.ts'

/** The ways of a sled to other sleds and to the outside, as its host says. */
export interface SledWays {
  sledId: string
  /** The address of its tunnel; undefined if it has none. */
  tunnel: string | undefined
  /** The blocks of external addresses that it leads to guests. */
  external: readonly Network[]
}

/** An external address of a sled with guests that another sled leads. */
export interface Led {
  ip: string
  isShared: boolean
  guests: NetworkTunnel
  leader: NetworkTunnel
}

/**
 * The external addresses of a VPC that another sled than that of their guest leads. Guests of several sleds share an address of
 * source NAT, so that one sled leads it: the first that leads its block. Any other address is led by the sled of its guest if that one
 * leads its block. Addresses that no sled with a tunnel leads, and those of guests whose sled has none, stay where the guest is.
 */
function ledElsewhere({ interfaces }: VpcNetwork, sleds: readonly SledWays[]): Led[] {
  const tunnels = new Map<string, string>()
  for (const { sledId, tunnel } of sleds) if (tunnel !== undefined) tunnels.set(sledId, tunnel)
  const leaders = leadersAmong(sleds.filter(({ tunnel }) => tunnel !== undefined))
  const found = new Map<string, Led>()
  for (const { sledId, nat } of interfaces) {
    const own = sledId === null ? undefined : tunnels.get(sledId)
    if (sledId === null || own === undefined) continue
    for (const { ip, kind } of [nat.inbound, ...nat.outbound.map(({ addresses }) => addresses)].flat()) {
      const isShared = kind === 'snat'
      const all = leaders(ip)
      const leader: string | undefined = !isShared && all.includes(sledId) ? sledId : all[0]
      const address = leader === undefined ? undefined : tunnels.get(leader)
      if (leader === undefined || address === undefined || leader === sledId) continue
      const guests = { sledId, address: own }
      found.set(`${ip} ${sledId}`, { ip, isShared, guests, leader: { sledId: leader, address } })
    }
  }
  return [...found.values()]
}

/** Finds the sleds that lead an address, in their order, which stays the same. */
function leadersAmong(sleds: readonly SledWays[]): (ip: string) => string[] {
  const known = new Map<string, string[]>()
  return (ip) => {
    const address = parseIp(ip)
    // Addresses of IPv6 do not go beyond hosts yet.
    if (address?.family !== 4) return []
    const all =
      known.get(ip) ??
      sleds
        .filter(({ external }) => external.some((block) => contains(block, address)))
        .map(({ sledId }) => sledId)
    known.set(ip, all)
    return all
  }
}

/** Whether an external address is led to guests on a sled: by its host, or by another one with a tunnel to it. */
export function isLedTo(ip: string, sledId: string, sleds: readonly SledWays[]): boolean {
  const own = sleds.find((one) => one.sledId === sledId)
  const address = parseIp(ip)
  if (!own || !address) return false
  if (own.external.some((block) => contains(block, address))) return true
  return (
    own.tunnel !== undefined &&
    leadersAmong(sleds.filter(({ tunnel }) => tunnel !== undefined))(ip).length > 0
  )
}

/** The ways of a VPC between sleds. */
export interface VpcWays {
  /** Those of the sleds that have interfaces of the VPC. */
  tunnels: readonly NetworkTunnel[]
  led: readonly Led[]
}
export const noWays: VpcWays = { tunnels: [], led: [] }

export function waysOf(network: VpcNetwork, sleds: readonly SledWays[]): VpcWays {
  const placed = new Set(network.interfaces.map(({ sledId }) => sledId))
  const tunnels = sleds.flatMap(({ sledId, tunnel }) =>
    tunnel !== undefined && placed.has(sledId) ? [{ sledId, address: tunnel }] : [],
  )
  return { tunnels, led: ledElsewhere(network, sleds) }
}

/** The part of a sled. A list without entries is left out. */
export function waysFor(ways: VpcWays, sledId: string): Pick<SledNetwork, 'tunnels' | 'away' | 'led'> {
  const tunnels = ways.tunnels.filter((one) => one.sledId !== sledId)
  const away = ways.led
    .filter(({ guests }) => guests.sledId === sledId)
    .map(({ ip, leader }) => ({ ip, address: leader.address }))
  const led = ways.led
    .filter(({ leader }) => leader.sledId === sledId)
    .map(({ ip, isShared, guests }) => ({ ip, isShared, address: guests.address }))
  return {
    ...(tunnels.length > 0 ? { tunnels } : {}),
    ...(away.length > 0 ? { away } : {}),
    ...(led.length > 0 ? { led } : {}),
  }
}
