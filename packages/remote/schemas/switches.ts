/** Switches on the wire: their configuration and their status. */
import {
  bfdModes,
  bfdStates,
  bgpPeerStates,
  interfaceKinds,
  linkFecs,
  linkSpeeds,
  portGeometries,
} from '@purlin/contract/rules/networking'
import { keysOf } from '@purlin/contract/rules/keys'
import {
  array,
  boolean,
  enumOf,
  integer,
  nullable,
  object,
  optional,
  string,
  type Schema,
} from '@purlin/contract/schema'
import type { SwitchConfiguration, SwitchStatus } from '@purlin/core/ports'
import { exact, id, most, text } from './machines.ts'

const networks = array(id, most(100_000, 'networks'))
const vlanId = nullable(integer())

const peer = object({
  address: id,
  remoteAsn: nullable(integer()),
  holdTime: integer(),
  idleHoldTime: integer(),
  delayOpen: integer(),
  connectRetry: integer(),
  keepalive: integer(),
  minTtl: nullable(integer()),
  md5AuthKey: nullable(string({ maxLength: 4_096, isSecret: true })),
  multiExitDiscriminator: nullable(integer()),
  localPref: nullable(integer()),
  communities: array(integer(), most(10_000, 'communities')),
  enforceFirstAs: boolean(),
  allowedImport: nullable(networks),
  allowedExport: nullable(networks),
  vlanId,
})

const optionalText = nullable(text)
const lldp = object({
  isEnabled: boolean(),
  linkName: optionalText,
  linkDescription: optionalText,
  chassisId: optionalText,
  systemName: optionalText,
  systemDescription: optionalText,
  managementIp: optionalText,
})

const tap = nullable(integer())
const link = object({
  name: text,
  mtu: integer(),
  speed: enumOf(keysOf(linkSpeeds)),
  fec: nullable(enumOf(linkFecs)),
  isNegotiated: boolean(),
  equalizer: nullable(
    exact<Partial<Record<'pre1' | 'pre2' | 'main' | 'post2' | 'post1', number | null>>>(
      object({
        pre1: optional(tap),
        pre2: optional(tap),
        main: optional(tap),
        post2: optional(tap),
        post1: optional(tap),
      }),
    ),
  ),
  lldp,
  addresses: array(object({ address: id, vlanId }), most(10_000, 'addresses')),
  interfaces: array(
    object({ kind: enumOf(interfaceKinds), vlanId, usesV6: boolean() }),
    most(10_000, 'interfaces'),
  ),
  routes: array(
    object({ destination: id, gateway: id, vlanId, priority: nullable(integer()) }),
    most(100_000, 'routes'),
  ),
  peers: array(peer, most(10_000, 'peers')),
})

const bfd = {
  remote: id,
  local: nullable(id),
  mode: enumOf(bfdModes),
  detectionThreshold: integer(),
  requiredRx: integer(),
}

export const switchConfiguration: Schema<SwitchConfiguration> = object({
  version: integer(),
  asn: nullable(integer()),
  announced: networks,
  ports: array(
    object({ name: text, geometry: enumOf(portGeometries), links: array(link, most(100, 'links')) }),
    most(10_000, 'ports'),
  ),
  loopbacks: networks,
  bfd: array(object(bfd), most(10_000, 'sessions')),
  answersPings: boolean(),
})

const message = object({
  at: integer(),
  direction: enumOf(['sent', 'received']),
  type: enumOf(['open', 'update', 'keepalive', 'notification']),
  text: string({ maxLength: 100_000 }),
})

const neighbor = object({
  port: text,
  localLink: text,
  linkName: text,
  linkDescription: optionalText,
  chassisId: text,
  systemName: optionalText,
  systemDescription: optionalText,
  managementIps: array(id, most(1_000, 'addresses')),
  firstSeen: integer(),
  lastSeen: integer(),
})

export const switchStatus: Schema<SwitchStatus> = object({
  peers: array(
    object({
      port: text,
      address: id,
      localAsn: integer(),
      remoteAsn: nullable(integer()),
      state: enumOf(bgpPeerStates),
      since: integer(),
      problem: optionalText,
      exported: networks,
      imported: networks,
      messages: array(message, most(10_000, 'messages')),
    }),
    most(10_000, 'peers'),
  ),
  bfd: array(object({ ...bfd, state: enumOf(bfdStates) }), most(10_000, 'sessions')),
  neighbors: array(neighbor, most(10_000, 'neighbors')),
})
