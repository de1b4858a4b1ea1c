/** The kinds of the network outside of the racks. */
import { byOperators, byTime, kind } from '../kind.ts'

export const addressLot = kind({
  noun: 'address lot',
  type: 'address-lot',
  field: 'addressLot',
  parent: null,
  counts: byOperators,
  orders: byTime,
})
export const loopbackAddress = kind({
  noun: 'loopback address',
  type: 'loopback-address',
  field: 'loopbackAddress',
  isNamed: false,
  parent: null,
  counts: byOperators,
})
export const bgpConfig = kind({
  noun: 'BGP configuration',
  type: 'bgp-config',
  field: 'bgpConfig',
  parent: null,
  counts: byOperators,
  orders: byTime,
  recorded: {
    asn: { field: 'asn' },
    vrf: { field: 'vrf' },
    announce_set: { field: 'bgpAnnounceSetId', refersTo: 'bgpAnnounceSet' },
  },
})
export const bgpAnnounceSet = kind({
  noun: 'BGP announce set',
  type: 'bgp-announce-set',
  field: 'announceSet',
  parent: null,
  counts: byOperators,
  orders: byTime,
})
export const switchPortSettings = kind({
  noun: 'settings of switch ports',
  type: 'switch-port-settings',
  field: 'portSettings',
  parent: null,
  counts: byOperators,
  orders: byTime,
  recorded: {
    geometry: { field: 'geometry' },
    links_and_routes: { field: 'layoutJson', isHidden: true },
  },
})
export const bfdSession = kind({
  noun: 'BFD session',
  type: 'bfd-session',
  field: 'bfdSession',
  isNamed: false,
  parent: null,
  counts: byOperators,
})
