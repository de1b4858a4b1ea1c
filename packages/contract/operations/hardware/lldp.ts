/** The link layer discovery protocol (IEEE 802.1AB) on the ports of switches. */
import { op } from '#/op.ts'
import { array, choice, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { Ip } from '#/schemas/address.ts'
import { uint32, uint8 } from '#/schemas/integers.ts'
import { byIdOf, page } from '#/schemas/page.ts'
import { Name, Uuid } from '#/schemas/scalar.ts'
import { portOf } from './hardware.ts'
import { LldpLinkConfig } from '../networking/port-settings.ts'

const config = { ...portOf, path: '/v1/system/hardware/switch-port/{port}/lldp/config' } as const
export const networkingSwitchPortLldpConfigView = op({
  ...config, method: 'GET', allow: 'fleet.viewer', ok: 200, response: LldpLinkConfig,
})
export const networkingSwitchPortLldpConfigUpdate = op({
  ...config, method: 'POST', allow: 'fleet.admin', ok: 204, body: LldpLinkConfig,
})

const text = string(unlimited)
const bytes = array(uint8, unlimited)
const number = optional(uint32)
const ManagementAddress = ref('ManagementAddress', object({
  addr: ref('NetworkAddress', choice({ ipAddr: optional(Ip), iEEE802: optional(bytes) })),
  interfaceNum: ref('InterfaceNum', choice({ unknown: number, ifIndex: number, portNumber: number })),
  oid: optional(nullable(bytes)),
}))
const LldpNeighbor = ref('LldpNeighbor', object({
  localPort: text, linkName: text, linkDescription: optional(nullable(text)), chassisId: text,
  systemName: optional(nullable(text)), systemDescription: optional(nullable(text)),
  managementIp: array(ManagementAddress, unlimited), firstSeen: time(), lastSeen: time(),
}))
export const networkingSwitchPortLldpNeighbors = op({
  method: 'GET', allow: 'fleet.viewer', ok: 200, tag: 'system/hardware',
  path: '/v1/system/hardware/rack-switch-port/{rack_id}/{switch_location}/{port}/lldp/neighbors',
  params: object({ rackId: Uuid, switchLocation: Name, port: Name }), query: object(byIdOf('')),
  response: ref('LldpNeighborResultsPage', page(LldpNeighbor)),
})
