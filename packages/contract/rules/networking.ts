/** Values and rules of system networking that both sides know. */
import { keysOf } from './keys.ts'

export const lotKinds = ['infra', 'pool'] as const
/** Addresses of the infrastructure itself, or of pools. */
export type LotKind = (typeof lotKinds)[number]

/** The places of the switches of a rack. */
export const switchLocations = ['switch0', 'switch1'] as const
export type SwitchLocation = (typeof switchLocations)[number]

/** The links that a port has in each of its geometries. */
export const linksOfGeometry = { qsfp28x1: 1, qsfp28x2: 2, sfp28x4: 4 } as const
export type PortGeometry = keyof typeof linksOfGeometry
export const portGeometries = keysOf(linksOfGeometry)

/** The speeds of links in Gbit/s. */
export const linkSpeeds = {
  speed0_g: 0,
  speed1_g: 1,
  speed10_g: 10,
  speed25_g: 25,
  speed40_g: 40,
  speed50_g: 50,
  speed100_g: 100,
  speed200_g: 200,
  speed400_g: 400,
} as const
export type LinkSpeed = keyof typeof linkSpeeds
/** The forward error corrections of links. */
export const linkFecs = ['firecode', 'none', 'rs'] as const
export type LinkFec = (typeof linkFecs)[number]
export const interfaceKinds = ['primary', 'vlan', 'loopback'] as const

/** The states of a BGP session (RFC 4271, section 8.2.2), and of one whose routes are being exchanged at first. */
export const bgpPeerStates = [
  'idle',
  'connect',
  'active',
  'open_sent',
  'open_confirm',
  'session_setup',
  'established',
] as const
export type BgpPeerState = (typeof bgpPeerStates)[number]

/** Whether the peer of a BFD session is on the same network. */
export const bfdModes = ['single_hop', 'multi_hop'] as const
export type BfdMode = (typeof bfdModes)[number]
/** The states of a BFD session (RFC 5880, section 6.2). */
export const bfdStates = ['admin_down', 'down', 'init', 'up'] as const
export type BfdState = (typeof bfdStates)[number]
