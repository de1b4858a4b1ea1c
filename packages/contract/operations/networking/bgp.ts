/** BGP: the configuration of each autonomous system of the switches, and the networks that they announce. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { bgpPeerStates, switchLocations } from '#/rules/networking.ts'
import { anyJson, array, enumOf, nullable, object, optional, record, ref, string, unlimited } from '#/schema.ts'
import { Ip, IpNet, Ipv4Net } from '#/schemas/address.ts'
import { identity, identityCreate, identityUpdate } from '#/schemas/identity.ts'
import { uint32, uint64 } from '#/schemas/integers.ts'
import { byNameOf, page } from '#/schemas/page.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { confirmWithin } from './edge.ts'

const tag = 'system/networking'
const read = { method: 'GET', allow: 'fleet.viewer', ok: 200, tag } as const
const write = { allow: 'fleet.admin', tag } as const
const root = '/v1/system/networking/bgp'

export const BgpConfig = ref('BgpConfig', object({
  ...identity, asn: uint32, vrf: optional(nullable(string(unlimited))),
  bgpAnnounceSetId: optional(Uuid),
}))
export const networkingBgpConfigList = op({
  ...read, path: root, query: object(byNameOf('bgpConfig')),
  response: ref('BgpConfigResultsPage', page(BgpConfig)),
})
export const networkingBgpConfigCreate = op({
  ...write, method: 'POST', path: root, ok: 201,
  body: ref('BgpConfigCreate', object({
    ...identityCreate, asn: uint32, bgpAnnounceSetId: NameOrId, vrf: optional(nullable(Name)),
  })),
  response: BgpConfig,
})
export const BgpConfigUpdate = ref('BgpConfigUpdate', object({
  ...identityUpdate, asn: optional(nullable(uint32)), bgpAnnounceSetId: optional(nullable(NameOrId)),
  /** null for none */
  vrf: optional(nullable(Name)),
}))
export const networkingBgpConfigUpdate = op({
  ...write, method: 'PUT', path: `${root}/{bgp_config}`, ok: 200, params: object({ bgpConfig: NameOrId }),
  query: object({ confirmWithin }), body: BgpConfigUpdate, response: BgpConfig,
})
export const networkingBgpConfigDelete = op({
  ...write, method: 'DELETE', path: root, ok: 204, query: object({ nameOrId: NameOrId }),
})

const sets = `${root}-announce-set`
const ofSet = { params: object({ announceSet: NameOrId }) } as const
const { limit, pageToken, sortBy } = byNameOf('bgpAnnounceSet')
export const BgpAnnounceSet = ref('BgpAnnounceSet', object(identity))
export const BgpAnnouncement = ref('BgpAnnouncement', object({
  announceSetId: Uuid, addressLotBlockId: Uuid, network: IpNet,
}))
export const networkingBgpAnnounceSetList = op({
  ...read, path: sets, query: object({ limit, pageToken, sortBy }), response: array(BgpAnnounceSet, unlimited),
})
export const BgpAnnounceSetCreate = ref('BgpAnnounceSetCreate', object({
  ...identityCreate,
  announcement: array(
    ref('BgpAnnouncementCreate', object({ addressLotBlock: NameOrId, network: IpNet })),
    { count: limits.bgp.announcements, noun: 'networks' },
  ),
}))
export const networkingBgpAnnounceSetUpdate = op({
  ...write, method: 'PUT', path: sets, ok: 200, query: object({ confirmWithin }), body: BgpAnnounceSetCreate,
  response: BgpAnnounceSet,
})
export const networkingBgpAnnounceSetDelete = op({
  ...write, ...ofSet, method: 'DELETE', path: `${sets}/{announce_set}`, ok: 204,
})
export const networkingBgpAnnouncementList = op({
  ...read, ...ofSet, path: `${sets}/{announce_set}/announcement`, response: array(BgpAnnouncement, unlimited),
})

const switchLocation = ref('SwitchLocation', enumOf(switchLocations))
const ofAsn = { query: object({ asn: uint32 }) } as const
export const networkingBgpStatus = op({
  ...read, path: `${root}-status`,
  response: array(ref('BgpPeerStatus', object({
    addr: Ip, localAsn: uint32, remoteAsn: uint32, state: ref('BgpPeerState', enumOf(bgpPeerStates)),
    stateDurationMillis: uint64, switch: switchLocation,
    port: optional(Name), problem: optional(nullable(string(unlimited))),
  })), unlimited),
})
export const networkingBgpExported = op({
  ...read, path: `${root}-exported`,
  response: ref('BgpExported', object({ exports: record(array(Ipv4Net, unlimited), unlimited) })),
})
export const networkingBgpImportedRoutesIpv4 = op({
  ...read, ...ofAsn, path: `${root}-routes-ipv4`,
  response: array(ref('BgpImportedRouteIpv4', object({
    id: uint32, nexthop: Ip, prefix: Ipv4Net, switch: switchLocation,
  })), unlimited),
})
export const networkingBgpMessageHistory = op({
  ...read, ...ofAsn, path: `${root}-message-history`,
  response: ref('AggregateBgpMessageHistory', object({
    switchHistories: array(ref('SwitchBgpHistory', object({
      switch: switchLocation, history: record(ref('BgpMessageHistory', anyJson()), unlimited),
    })), unlimited),
  })),
})
