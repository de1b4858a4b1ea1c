/** Fields of the settings of switches: BGP, BFD, ports and LLDP. */
import { limits } from '#/rules/limits.ts'
import type { FieldSentences } from '../field-sentences.ts'

const asn = 'The number of the autonomous system.'
const switchLocation = 'The place of the switch: `switch0` or `switch1`.'
const linkName = 'The name of the link, which must be among the links of the settings.'
const interfaceName = 'The name of the link.'
const network = 'The network in CIDR notation.'
const vlanId = 'The id of the VLAN; absent or null for untagged packets.'
const geometry = 'How the port is divided: into one link, two or four.'
const confirmWithin =
  'If given, the settings of before count again after this many seconds unless the new ones are confirmed.'
const of = { portSettingsId: 'The id of the settings.' }
const lldp = {
  enabled: 'True if the link tells its neighbors about itself.',
  linkName: 'The name of the link that neighbors see; the own one unless given.',
  linkDescription: 'A text about the link for neighbors.',
  chassisId: 'The id of the chassis that neighbors see; that of the switch unless given.',
  systemName: 'The name of the system that neighbors see.',
  systemDescription: 'A text about the system for neighbors.',
  managementIp: 'The address at which the switch is managed, for neighbors.',
}
const link = {
  mtu: 'The largest packet in bytes.',
  speed: 'The speed of the link; `speed100_g` is 100 Gbit/s.',
  autoneg: 'True if the two ends negotiate the speed.',
  fec: 'The forward error correction; absent or null for that of the module.',
}
const route = {
  dst: 'The network that the route leads to.',
  gw: 'The address of the next router.',
  ribPriority: 'Of several routes to a network, the one with the highest priority is used.',
}
const detection = {
  mode: 'Whether the peer is on the same network.',
  detectionThreshold: 'How many packets in a row must be missed until the peer counts as lost.',
  requiredRx: `The longest time between two packets of the peer in µs, at most ${limits.bfd.requiredRx}.`,
}
const gains = {
  pre1: 'The first tap before the main one.',
  pre2: 'The second tap before the main one.',
  main: 'The main tap.',
  post1: 'The first tap after the main one.',
  post2: 'The second tap after the main one.',
}

export const switches: FieldSentences = {
  BgpConfig: {
    asn,
    vrf: 'The routing table (VRF) that it is about; null for the usual one.',
    bgpAnnounceSetId: 'The announce set with the networks that are announced.',
  },
  BgpPeerStatus: {
    addr: 'The address of the peer.',
    localAsn: 'The autonomous system of the switch.',
    remoteAsn: 'The autonomous system of the peer; 0 while it is not known.',
    state: 'The state of the session (RFC 4271).',
    stateDurationMillis: 'How long it has been in this state, ms.',
    switch: switchLocation,
    port: 'The port that leads to the peer.',
    problem: 'Why there is no session, in words for people; null while there is one.',
  },
  BgpExported: { exports: 'The networks by the address of the peer.' },
  networkingBgpImportedRoutesIpv4: { asn },
  BgpImportedRouteIpv4: {
    id: 'The number of the route in this answer.',
    nexthop: 'The address of the next router.',
    prefix: network,
    switch: switchLocation,
  },
  networkingBgpMessageHistory: { asn },
  AggregateBgpMessageHistory: { switchHistories: 'The messages of each switch.' },
  SwitchBgpHistory: {
    switch: switchLocation,
    history: 'The messages by the address of the peer, oldest first.',
  },
  BfdStatus: {
    ...detection,
    switch: switchLocation,
    peer: 'The address of the peer.',
    local: 'The own address; null for that of the link.',
    state: 'The state of the session (RFC 5880).',
  },
  networkingSwitchPortLldpNeighbors: {
    rackId: 'The id of the rack that the switch is in.',
    switchLocation,
    port: 'The name of the port, such as `qsfp0`.',
  },
  LldpNeighbor: {
    localPort: 'The own port.',
    linkName: 'The link of the neighbor.',
    linkDescription: 'A text of the neighbor about its link.',
    chassisId: 'The id of the chassis of the neighbor.',
    systemName: 'The name of the neighbor.',
    systemDescription: 'A text of the neighbor about itself.',
    managementIp: 'The addresses at which the neighbor is managed.',
    firstSeen: 'When it was heard first, RFC 3339 in UTC.',
    lastSeen: 'When it was heard last, RFC 3339 in UTC.',
  },
  ManagementAddress: {
    addr: 'The address.',
    interfaceNum: 'The interface that has the address.',
    oid: 'The object identifier of the interface.',
  },
  NetworkAddress: { ipAddr: 'An IP address.', iEEE802: 'The bytes of a MAC address.' },
  InterfaceNum: {
    unknown: 'A number of unknown meaning.',
    ifIndex: 'The index of the interface.',
    portNumber: 'The number of the port.',
  },
  networkingBgpConfigDelete: { nameOrId: 'The name or id of the configuration.' },
  BgpAnnounceSetCreate: {
    announcement: `The networks, at most ${limits.bgp.announcements}. They replace all of before.`,
  },
  BgpAnnouncementCreate: {
    addressLotBlock: 'The id of the block that the network is from, or the name of its lot.',
    network,
  },
  BgpAnnouncement: {
    announceSetId: 'The id of the announce set.',
    addressLotBlockId: 'The id of the block that the network is from.',
    network,
  },
  BfdSessionEnable: {
    ...detection,
    switch: switchLocation,
    remote: 'The address of the peer.',
    local: 'The own address; absent or null for that of the link.',
  },
  BfdSessionDisable: { switch: switchLocation, remote: 'The address of the peer.' },
  networkingSwitchPortSettingsList: { portSettings: 'The name or id of settings, to list only those.' },
  networkingSwitchPortSettingsCreate: { confirmWithin },
  networkingBgpAnnounceSetUpdate: { confirmWithin },
  networkingBgpConfigUpdate: { confirmWithin },
  BgpConfigUpdate: {
    asn,
    vrf: 'The routing table (VRF) that it is about; null for the usual one.',
    bgpAnnounceSetId: 'The name or id of the announce set with the networks that are announced.',
  },
  SwitchChange: {
    timeRollBack: 'When the settings of before count again, RFC 3339 in UTC; null if none do.',
  },
  SwitchChangeToPreview: { change: 'The change, as the operation for it takes it.' },
  'SwitchChangeToPreview.change': {
    settings: 'The settings to store.',
    announceSet: 'The announce set to store.',
    bgpConfig: 'The name or id of the configuration to update.',
    update: 'The fields of the configuration to change.',
    rackId: 'The id of the rack that the switch is in.',
    switchLocation,
    port: 'The name of the port, such as `qsfp0`.',
    portSettings: 'The name or id of the settings to apply.',
  },
  SwitchChangePreview: { switches: 'The switches whose settings would differ.' },
  'SwitchChangePreview.switches': {
    rackId: 'The id of the rack that the switch is in.',
    switchLocation,
    added: 'The settings that the switch would get, one a line, in words for people.',
    removed: 'The settings that it would lose.',
  },
  networkingSwitchPortSettingsDelete: { portSettings: 'The name or id of the settings, which is required.' },
  networkingSwitchPortSettingsView: { port: 'The name or id of the settings.' },
  SwitchPortSettingsCreate: {
    portConfig: 'How the port is divided.',
    links: 'The links, as many as the geometry has or fewer.',
    addresses: `The addresses of each link, at most ${limits.portSettings.addresses} in all.`,
    interfaces: 'The interfaces of the links.',
    routes: 'The static routes of each link.',
    bgpPeers: `The BGP peers of each link, at most ${limits.portSettings.peers} in all.`,
    groups: 'Groups of settings that are included. There are none.',
  },
  SwitchPortConfigCreate: { geometry },
  SwitchPortConfig: { ...of, geometry },
  LinkConfigCreate: {
    ...link,
    linkName: 'The name of the link, unique in the settings.',
    lldp: 'How the link is discovered by its neighbors.',
    txEq: 'The equalizer of the sender; absent or null for that of the module.',
  },
  SwitchPortLinkConfig: {
    ...of,
    ...link,
    linkName: 'The name of the link.',
    lldpLinkConfig: 'How the link is discovered by its neighbors.',
    txEqConfig: 'The equalizer of the sender; null for that of the module.',
  },
  LldpLinkConfigCreate: lldp,
  LldpLinkConfig: { ...lldp, id: 'The id, which an update must repeat.' },
  TxEqConfig: gains,
  AddressConfig: { linkName, addresses: 'The addresses of the link.' },
  Address: {
    addressLot: 'The name or id of the lot that the address is from.',
    address: 'The address and the width of its network, such as `198.51.100.9/30`.',
    vlanId,
  },
  SwitchPortAddressView: {
    ...of,
    addressLotId: 'The id of the lot that the address is from.',
    addressLotName: 'The name of the lot.',
    addressLotBlockId: 'The id of the block in the lot.',
    address: 'The address and the width of its network.',
    interfaceName,
    vlanId,
  },
  SwitchInterfaceConfigCreate: {
    linkName,
    v6Enabled: 'True if the interface uses IPv6.',
    kind: 'Whether it is the link itself, a VLAN on it or a loopback interface.',
  },
  SwitchInterfaceKind: { vid: 'The id of the VLAN.' },
  SwitchInterfaceConfig: {
    ...of,
    interfaceName,
    v6Enabled: 'True if the interface uses IPv6.',
    kind: 'Whether it is the link itself, a VLAN on it or a loopback interface.',
  },
  SwitchVlanInterfaceConfig: {
    interfaceConfigId: 'The id of the interface.',
    vlanId: 'The id of the VLAN.',
  },
  RouteConfig: { linkName, routes: 'The routes of the link.' },
  Route: { ...route, vid: vlanId },
  SwitchPortRouteConfig: { ...of, ...route, interfaceName, vlanId },
  BgpPeerConfig: { linkName, peers: 'The peers of the link.' },
  BgpPeer: {
    addr: 'The address of the peer.',
    bgpConfig: 'The BGP configuration of the switch; its name or id in a request, its id in an answer.',
    interfaceName,
    holdTime: 'Seconds without a message after which the session ends; 0 for never.',
    idleHoldTime: 'Seconds to wait after a session has ended.',
    delayOpen: 'Seconds to wait between the connection and the first message.',
    connectRetry: 'Seconds between two attempts to connect.',
    keepalive: 'Seconds between two messages that keep the session alive.',
    remoteAsn: 'The autonomous system that the peer must have; absent or null for any.',
    minTtl: 'The least time to live that packets of the peer must have; absent or null for any.',
    md5AuthKey: `The key that signs the packets of the session (RFC 2385), at most ${limits.bgp.key} printable ASCII characters; null for none. It is never shown. A peer that is sent without it keeps its key.`,
    hasMd5AuthKey: 'True if the session has a key. Requests ignore it.',
    multiExitDiscriminator: 'The metric that is sent to the peer with each route.',
    communities: 'The communities that are sent with each route.',
    localPref: 'The preference of routes from this peer within the autonomous system.',
    enforceFirstAs: 'True if the path of each route must begin with the autonomous system of the peer.',
    allowedImport: 'The networks that the peer may announce.',
    allowedExport: 'The networks that are announced to the peer.',
    vlanId,
  },
  ImportExportPolicy: {
    type: 'Whether all networks are allowed or those of a list.',
    value: 'The networks that are allowed.',
  },
  SwitchPortSettings: {
    port: 'How the port is divided.',
    links: 'The links.',
    addresses: 'The addresses of the links.',
    interfaces: 'The interfaces of the links.',
    vlanInterfaces: 'The VLANs among the interfaces.',
    routes: 'The static routes of the links.',
    bgpPeers: 'The BGP peers of the links.',
    groups: 'Groups of settings that are included. There are none.',
  },
  SwitchPortSettingsGroups: { ...of, portSettingsGroupId: 'The id of the group.' },
}
