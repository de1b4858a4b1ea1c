/** The switches of the racks, as a driver sets them up and reports them. */
import type {
  BfdMode,
  BfdState,
  BgpPeerState,
  LinkFec,
  LinkSpeed,
  PortGeometry,
} from '@purlin/contract/rules/networking'

/** The networks that may pass: null for all. */
export type NetworkFilter = readonly string[] | null

/** A BGP peer. Times are in seconds. */
export interface PeerConfiguration {
  address: string
  /** The autonomous system that it must have; null for any. */
  remoteAsn: number | null
  holdTime: number
  idleHoldTime: number
  delayOpen: number
  connectRetry: number
  keepalive: number
  minTtl: number | null
  /** A secret. */
  md5AuthKey: string | null
  multiExitDiscriminator: number | null
  localPref: number | null
  communities: readonly number[]
  enforceFirstAs: boolean
  allowedImport: NetworkFilter
  allowedExport: NetworkFilter
  vlanId: number | null
}

/** The announcement of a link to its neighbors; null where the switch decides. */
export interface LldpConfiguration {
  isEnabled: boolean
  linkName: string | null
  linkDescription: string | null
  chassisId: string | null
  systemName: string | null
  systemDescription: string | null
  managementIp: string | null
}

export interface LinkConfiguration {
  name: string
  mtu: number
  speed: LinkSpeed
  fec: LinkFec | null
  isNegotiated: boolean
  /** The taps of the equalizer of the sender; null for that of the module. */
  equalizer: Readonly<Partial<Record<'pre1' | 'pre2' | 'main' | 'post2' | 'post1', number | null>>> | null
  lldp: LldpConfiguration
  /** address/width */
  addresses: readonly { address: string; vlanId: number | null }[]
  interfaces: readonly { kind: 'primary' | 'vlan' | 'loopback'; vlanId: number | null; usesV6: boolean }[]
  routes: readonly { destination: string; gateway: string; vlanId: number | null; priority: number | null }[]
  peers: readonly PeerConfiguration[]
}

export interface PortConfiguration {
  name: string
  geometry: PortGeometry
  links: readonly LinkConfiguration[]
}

export interface BfdConfiguration {
  remote: string
  local: string | null
  mode: BfdMode
  /** packets in a row that must be missed */
  detectionThreshold: number
  /** µs between two packets of the peer */
  requiredRx: number
}

/** All that a switch is to do. A port that is left out has no settings. */
export interface SwitchConfiguration {
  /** Increases with every change. */
  version: number
  /** The autonomous system of the switch; null without one. */
  asn: number | null
  /** The networks that it announces. */
  announced: readonly string[]
  ports: readonly PortConfiguration[]
  /** address/width */
  loopbacks: readonly string[]
  bfd: readonly BfdConfiguration[]
  /** Whether the addresses of the control plane answer pings. */
  answersPings: boolean
}

/** A message of a BGP session. */
export interface BgpMessage {
  /** ms since 1970 */
  at: number
  direction: 'sent' | 'received'
  type: 'open' | 'update' | 'keepalive' | 'notification'
  /** for people */
  text: string
}

/** A BGP session as it is. */
export interface PeerStatus {
  port: string
  address: string
  localAsn: number
  /** Of the peer if it has said so, or else of the configuration; null if neither is known. */
  remoteAsn: number | null
  state: BgpPeerState
  /** When it got into this state, ms since 1970. */
  since: number
  /** Why there is no session, for people; null while there is one. */
  problem: string | null
  /** The networks that have been announced to the peer. */
  exported: readonly string[]
  /** The networks that the peer has announced and that are accepted. */
  imported: readonly string[]
  /** The latest ones, oldest first. */
  messages: readonly BgpMessage[]
}

export interface BfdStatus extends BfdConfiguration {
  state: BfdState
}

/** A neighbor that has announced itself. */
export interface NeighborInfo {
  port: string
  /** The own link that it is connected to. */
  localLink: string
  linkName: string
  linkDescription: string | null
  chassisId: string
  systemName: string | null
  systemDescription: string | null
  managementIps: readonly string[]
  /** ms since 1970 */
  firstSeen: number
  lastSeen: number
}

/** A switch as it is. */
export interface SwitchStatus {
  peers: readonly PeerStatus[]
  bfd: readonly BfdStatus[]
  neighbors: readonly NeighborInfo[]
}

/** The switch did not respond. */
export class SwitchUnreachable extends Error {
  override name = 'SwitchUnreachable'
}

/** The switch does not accept a configuration. The message is the reason, for people. */
export class SwitchRefused extends Error {
  override name = 'SwitchRefused'
}

/** Sets up switches. A driver decides nothing: it does what the control plane wants, and reports. */
export interface SwitchDriver {
  /**
   * Makes a switch do all that the configuration says and nothing else. Sessions that stay the same continue. Does
   * nothing if the switch has this version or a newer one. Throws SwitchUnreachable, SwitchRefused.
   */
  configure(switchId: string, configuration: SwitchConfiguration): Promise<void>
  /** The version that a switch has; null for one that has none, as after a loss of power. Throws SwitchUnreachable. */
  version(switchId: string): Promise<number | null>
  /** Throws SwitchUnreachable. */
  status(switchId: string): Promise<SwitchStatus>
}
