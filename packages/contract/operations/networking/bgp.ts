/** BGP: the configuration of each autonomous system of the switches, and the networks that they announce. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, nullable, object, optional, ref, string, unlimited } from '#/schema.ts'
import { IpNet } from '#/schemas/address.ts'
import { identity, identityCreate } from '#/schemas/identity.ts'
import { uint32 } from '#/schemas/integers.ts'
import { byNameOf, page } from '#/schemas/page.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'

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
export const networkingBgpAnnounceSetUpdate = op({
  ...write, method: 'PUT', path: sets, ok: 200,
  body: ref('BgpAnnounceSetCreate', object({
    ...identityCreate,
    announcement: array(
      ref('BgpAnnouncementCreate', object({ addressLotBlock: NameOrId, network: IpNet })),
      { count: limits.bgp.announcements, noun: 'networks' },
    ),
  })),
  response: BgpAnnounceSet,
})
export const networkingBgpAnnounceSetDelete = op({
  ...write, ...ofSet, method: 'DELETE', path: `${sets}/{announce_set}`, ok: 204,
})
export const networkingBgpAnnouncementList = op({
  ...read, ...ofSet, path: `${sets}/{announce_set}/announcement`, response: array(BgpAnnouncement, unlimited),
})
