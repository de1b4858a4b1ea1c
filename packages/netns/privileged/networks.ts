/** The networks that a driver of machines needs: those of this process, or of a helper with the rights. */
import type { SledNetwork } from '@purlin/core/ports'

/** Packets of one direction, since the device was made. */
export interface PacketCounters {
  bytes: number
  packets: number
  errors: number
  dropped: number
}
/** The traffic of an interface, as its guest sees it. */
export interface NicTraffic {
  nicId: string
  sent: PacketCounters
  received: PacketCounters
}

export interface NamedAddresses {
  /** The IP address at which this host takes packets of VPCs from other hosts; null if it takes none. */
  tunnelAddress: string | null
  /** The blocks of external addresses that it leads to guests. */
  external: string[]
}

export interface HostNetworks {
  /** Enforces the network of a VPC, unless this version or a newer one is in force. */
  set(network: SledNetwork): Promise<void>
  /** The networks with interfaces that are in force. */
  held(): Promise<{ vpcId: string; version: number }[]>
  /** The addresses that the operator of this host has named. */
  named(): Promise<NamedAddresses>
  /** Makes new devices for interfaces, which this user may open and which lead nowhere yet; returns their names. */
  prepare(nicIds: readonly string[]): Promise<string[]>
  /** Connects devices that a machine has opened, at once or when their network comes. */
  connect(nicIds: readonly string[]): Promise<void>
  /** Removes the devices of interfaces whose machine has ended. */
  release(nicIds: readonly string[]): Promise<void>
  /** The traffic of those of these interfaces that are connected. */
  traffic(nicIds: readonly string[]): Promise<NicTraffic[]>
  /** Removes all networks and forgets their versions. */
  clear(): Promise<void>
}
