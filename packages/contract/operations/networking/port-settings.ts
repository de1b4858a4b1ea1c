/** Settings of switch ports: links, addresses, routes and BGP peers, which are applied to ports under a name. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { interfaceKinds, linkFecs, linkSpeeds, portGeometries } from '#/rules/networking.ts'
import { keysOf } from '#/rules/keys.ts'
import { array, boolean, defaulted, enumOf, integer, nullable, object, optional, ref, string, union, unlimited } from '#/schema.ts'
import { Ip, IpNet } from '#/schemas/address.ts'
import { identity, identityCreate } from '#/schemas/identity.ts'
import { int32, uint16, uint32, uint8 } from '#/schemas/integers.ts'
import { byNameOf, page } from '#/schemas/page.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { confirmWithin } from './edge.ts'

const tag = 'system/networking'
const read = { method: 'GET', allow: 'fleet.viewer', ok: 200, tag } as const
const write = { allow: 'fleet.admin', tag } as const
const root = '/v1/system/networking/switch-port-settings'
const most = limits.portSettings

const vlan = integer({ min: 0, max: 4094, format: 'uint16' })
const vlanId = optional(nullable(vlan))
const text = optional(nullable(string({ maxLength: most.text })))
const lldp = {
  enabled: boolean(), linkName: text, linkDescription: text, chassisId: text, systemName: text,
  systemDescription: text, managementIp: optional(nullable(Ip)),
}
export const LldpLinkConfig = ref('LldpLinkConfig', object({ id: Uuid, ...lldp }))

const geometry = ref('SwitchPortGeometry', enumOf(portGeometries))
const gain = optional(nullable(int32))
const TxEqConfig = ref('TxEqConfig', object({ pre1: gain, pre2: gain, main: gain, post2: gain, post1: gain }))
const link = {
  linkName: Name, mtu: uint16, speed: ref('LinkSpeed', enumOf(keysOf(linkSpeeds))), autoneg: boolean(),
  fec: optional(nullable(ref('LinkFec', enumOf(linkFecs)))),
}
const route = { dst: IpNet, gw: Ip, ribPriority: optional(nullable(uint8)) }
const prefixes = { count: limits.bgp.prefixes, noun: 'networks' }
const ImportExportPolicy = ref('ImportExportPolicy', union('type', {
  no_filtering: {}, allow: { value: array(IpNet, prefixes) },
}))
/** In answers it has no key: a client that sends back what it has read keeps the key. */
export const BgpPeer = ref('BgpPeer', object({
  addr: Ip, bgpConfig: NameOrId, interfaceName: Name,
  holdTime: uint32, idleHoldTime: uint32, delayOpen: uint32, connectRetry: uint32, keepalive: uint32,
  remoteAsn: optional(nullable(uint32)), minTtl: optional(nullable(uint8)),
  md5AuthKey: optional(nullable(string({ maxLength: limits.bgp.key, isRule: true, isSecret: true }))),
  hasMd5AuthKey: optional(boolean()),
  multiExitDiscriminator: optional(nullable(uint32)), localPref: optional(nullable(uint32)),
  communities: array(uint32, { count: most.communities, noun: 'communities' }),
  enforceFirstAs: boolean(), allowedImport: ImportExportPolicy, allowedExport: ImportExportPolicy, vlanId,
}))

const ofLink = (count: number, noun: string) => ({ count, noun })
const links = ofLink(4, 'links')
export const SwitchPortSettingsCreate = ref('SwitchPortSettingsCreate', object({
  ...identityCreate,
  portConfig: ref('SwitchPortConfigCreate', object({ geometry })),
  links: array(ref('LinkConfigCreate', object({
    ...link, lldp: ref('LldpLinkConfigCreate', object(lldp)), txEq: optional(nullable(TxEqConfig)),
  })), links),
  addresses: array(ref('AddressConfig', object({
    linkName: Name,
    addresses: array(
      ref('Address', object({ addressLot: NameOrId, address: IpNet, vlanId })),
      ofLink(most.addresses, 'addresses'),
    ),
  })), links),
  interfaces: defaulted(array(ref('SwitchInterfaceConfigCreate', object({
    linkName: Name, v6Enabled: boolean(),
    kind: ref('SwitchInterfaceKind', union('type', { primary: {}, vlan: { vid: vlan }, loopback: {} })),
  })), ofLink(most.addresses, 'interfaces')), () => []),
  routes: defaulted(array(ref('RouteConfig', object({
    linkName: Name,
    routes: array(ref('Route', object({ ...route, vid: vlanId })), ofLink(most.routes, 'routes')),
  })), links), () => []),
  bgpPeers: defaulted(array(ref('BgpPeerConfig', object({
    linkName: Name, peers: array(BgpPeer, ofLink(most.peers, 'peers')),
  })), links), () => []),
  groups: defaulted(array(NameOrId, ofLink(most.groups, 'groups')), () => []),
}))

const of = { portSettingsId: Uuid }
export const SwitchPortSettings = ref('SwitchPortSettings', object({
  ...identity,
  port: ref('SwitchPortConfig', object({ ...of, geometry })),
  links: array(ref('SwitchPortLinkConfig', object({
    ...of, ...link, lldpLinkConfig: optional(nullable(LldpLinkConfig)), txEqConfig: optional(nullable(TxEqConfig)),
  })), unlimited),
  addresses: array(ref('SwitchPortAddressView', object({
    ...of, addressLotId: Uuid, addressLotName: Name, addressLotBlockId: Uuid, address: IpNet, interfaceName: Name,
    vlanId,
  })), unlimited),
  interfaces: array(ref('SwitchInterfaceConfig', object({
    ...of, id: Uuid, interfaceName: Name, v6Enabled: boolean(),
    kind: ref('SwitchInterfaceKind2', enumOf(interfaceKinds)),
  })), unlimited),
  vlanInterfaces: array(ref('SwitchVlanInterfaceConfig', object({ interfaceConfigId: Uuid, vlanId: uint16 })), unlimited),
  routes: array(ref('SwitchPortRouteConfig', object({ ...of, ...route, interfaceName: Name, vlanId })), unlimited),
  bgpPeers: array(BgpPeer, unlimited),
  groups: array(ref('SwitchPortSettingsGroups', object({ ...of, portSettingsGroupId: Uuid })), unlimited),
}))
const SwitchPortSettingsIdentity = ref('SwitchPortSettingsIdentity', object(identity))

export const networkingSwitchPortSettingsList = op({
  ...read, path: root, query: object({ ...byNameOf('switchPortSettings'), portSettings: optional(NameOrId) }),
  response: ref('SwitchPortSettingsIdentityResultsPage', page(SwitchPortSettingsIdentity)),
})
export const networkingSwitchPortSettingsCreate = op({
  ...write, method: 'POST', path: root, ok: 201, query: object({ confirmWithin }), body: SwitchPortSettingsCreate,
  response: SwitchPortSettings,
})
export const networkingSwitchPortSettingsView = op({
  ...read, path: `${root}/{port}`, params: object({ port: NameOrId }), response: SwitchPortSettings,
})
export const networkingSwitchPortSettingsDelete = op({
  ...write, method: 'DELETE', path: root, ok: 204, query: object({ portSettings: optional(NameOrId) }),
})
