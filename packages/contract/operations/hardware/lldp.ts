/** The link layer discovery protocol (IEEE 802.1AB) on the ports of switches. */
import { op } from '#/op.ts'
import { portOf } from './hardware.ts'
import { LldpLinkConfig } from '../networking/port-settings.ts'

const config = { ...portOf, path: '/v1/system/hardware/switch-port/{port}/lldp/config' } as const
export const networkingSwitchPortLldpConfigView = op({
  ...config, method: 'GET', allow: 'fleet.viewer', ok: 200, response: LldpLinkConfig,
})
export const networkingSwitchPortLldpConfigUpdate = op({
  ...config, method: 'POST', allow: 'fleet.admin', ok: 204, body: LldpLinkConfig,
})
