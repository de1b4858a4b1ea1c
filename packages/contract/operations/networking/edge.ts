/** How the control plane itself is reached: the source addresses that it accepts, and whether it answers pings. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, integer, nullable, object, optional, ref, time, union, unlimited } from '#/schema.ts'
import { IpNet } from '#/schemas/address.ts'
import { settingOps } from '../setting.ts'

const tag = 'system/networking'
const icmp = '/v1/system/networking/inbound-icmp'

/** Seconds in which a change must be confirmed, or else it is rolled back. */
export const confirmWithin = optional(integer({ ...limits.confirmWithin, format: 'uint32' }))

// The rule about the number of entries has its own message; the schema only bounds what it is applied to.
const ips = array(IpNet, { count: 10 * limits.allowList, noun: 'entries' })
const AllowedSourceIps = ref('AllowedSourceIps', union('allow', { any: {}, list: { ips } }))
export const AllowList = ref('AllowList', object({
  allowedIps: AllowedSourceIps, timeCreated: time(), timeModified: time(),
  /** when the former list counts again, unless this one is confirmed; null for one that stays */
  timeRollBack: optional(nullable(time())),
}))
const list = '/v1/system/networking/allow-list'
const AllowListUpdate = ref('AllowListUpdate', object({ allowedIps: AllowedSourceIps }))
const settings = settingOps('networkingAllowList', {
  path: list, tag, view: 'fleet.viewer', update: 'fleet.admin', body: AllowListUpdate, response: AllowList,
})
export const { networkingAllowListView } = settings
export const networkingAllowListUpdate = op({
  ...settings.networkingAllowListUpdate,
  query: object({ confirmWithin }),
})
export const networkingAllowListConfirm = op({
  method: 'POST', path: `${list}/confirm`, allow: 'fleet.admin', ok: 204, tag,
})
export const networkingAllowListRollBack = op({
  method: 'POST', path: `${list}/roll-back`, allow: 'fleet.admin', ok: 204, tag,
})
const networks = array(IpNet, unlimited)
export const networkingAllowListPreview = op({
  method: 'POST', path: `${list}/preview`, allow: 'fleet.admin', ok: 200, changesNothing: true, tag,
  body: AllowListUpdate, response: ref('AllowListPreview', object({ added: networks, removed: networks })),
})

const ServiceIcmpConfig = ref('ServiceIcmpConfig', object({ enabled: boolean() }))
export const networkingInboundIcmpView = op({
  method: 'GET', path: icmp, allow: 'fleet.viewer', ok: 200, tag, response: ServiceIcmpConfig,
})
export const networkingInboundIcmpUpdate = op({
  method: 'PUT', path: icmp, allow: 'fleet.admin', ok: 204, tag, body: ServiceIcmpConfig,
})
