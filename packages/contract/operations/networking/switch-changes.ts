/** Changes of the settings of switches that could cut operators off: their preview, and the one that waits. */
import { op } from '#/op.ts'
import { array, nullable, object, ref, string, time, union, unlimited } from '#/schema.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { placeOfPort } from '../hardware/hardware.ts'
import { BgpAnnounceSetCreate, BgpConfigUpdate } from './bgp.ts'
import { SwitchPortSettingsCreate } from './port-settings.ts'

const tag = 'system/networking'
const root = '/v1/system/networking/switch-change'
const text = string(unlimited)

export const networkingSwitchChangeView = op({
  method: 'GET', path: root, allow: 'fleet.viewer', ok: 200, tag,
  response: ref('SwitchChange', object({ timeRollBack: nullable(time()) })),
})
export const networkingSwitchChangeConfirm = op({
  method: 'POST', path: `${root}/confirm`, allow: 'fleet.admin', ok: 204, tag,
})
export const networkingSwitchChangeRollBack = op({
  method: 'POST', path: `${root}/roll-back`, allow: 'fleet.admin', ok: 204, tag,
})
const ofPort = { ...placeOfPort, port: Name }
export const networkingSwitchChangePreview = op({
  method: 'POST', path: `${root}/preview`, allow: 'fleet.admin', ok: 200, changesNothing: true, tag,
  body: ref('SwitchChangeToPreview', object({
    change: union('type', {
      port_settings: { settings: SwitchPortSettingsCreate },
      apply: { ...ofPort, portSettings: NameOrId },
      clear: ofPort,
      bgp_config: { bgpConfig: NameOrId, update: BgpConfigUpdate },
      announce_set: { announceSet: BgpAnnounceSetCreate },
    }),
  })),
  response: ref('SwitchChangePreview', object({
    switches: array(object({
      switchId: Uuid, rackId: Uuid, switchLocation: text, added: array(text, unlimited), removed: array(text, unlimited),
    }), unlimited),
  })),
})
