/** How the control plane itself is reached: the source addresses that it accepts, and whether it answers pings. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, object, ref, time, union } from '#/schema.ts'
import { IpNet } from '#/schemas/address.ts'
import { settingOps } from '../setting.ts'

const tag = 'system/networking'
const icmp = '/v1/system/networking/inbound-icmp'

// The rule about the number of entries has its own message; the schema only bounds what it is applied to.
const ips = array(IpNet, { count: 10 * limits.allowList, noun: 'entries' })
const AllowedSourceIps = ref('AllowedSourceIps', union('allow', { any: {}, list: { ips } }))
export const AllowList = ref('AllowList', object({ allowedIps: AllowedSourceIps, timeCreated: time(), timeModified: time() }))
export const { networkingAllowListView, networkingAllowListUpdate } = settingOps('networkingAllowList', {
  path: '/v1/system/networking/allow-list', tag, view: 'fleet.viewer', update: 'fleet.admin',
  body: ref('AllowListUpdate', object({ allowedIps: AllowedSourceIps })), response: AllowList,
})

const ServiceIcmpConfig = ref('ServiceIcmpConfig', object({ enabled: boolean() }))
export const networkingInboundIcmpView = op({
  method: 'GET', path: icmp, allow: 'fleet.viewer', ok: 200, tag, response: ServiceIcmpConfig,
})
export const networkingInboundIcmpUpdate = op({
  method: 'PUT', path: icmp, allow: 'fleet.admin', ok: 204, tag, body: ServiceIcmpConfig,
})
