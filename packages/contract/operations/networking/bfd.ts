/** Bidirectional forwarding detection (RFC 5880): sessions that notice within moments that a peer cannot be reached. */
import { op } from '#/op.ts'
import { bfdModes, bfdStates } from '#/rules/networking.ts'
import { array, enumOf, nullable, object, optional, ref, unlimited } from '#/schema.ts'
import { Ip } from '#/schemas/address.ts'
import { uint64, uint8 } from '#/schemas/integers.ts'
import { Name } from '#/schemas/scalar.ts'

const write = { method: 'POST', allow: 'fleet.admin', ok: 204, tag: 'system/networking' } as const
const root = '/v1/system/networking/bfd'

const BfdMode = ref('BfdMode', enumOf(bfdModes))
export const networkingBfdEnable = op({
  ...write, path: `${root}-enable`,
  body: ref('BfdSessionEnable', object({
    switch: Name, remote: Ip, local: optional(nullable(Ip)), mode: BfdMode,
    detectionThreshold: uint8, requiredRx: uint64,
  })),
})
export const networkingBfdDisable = op({
  ...write, path: `${root}-disable`, body: ref('BfdSessionDisable', object({ switch: Name, remote: Ip })),
})
export const networkingBfdStatus = op({
  method: 'GET', allow: 'fleet.viewer', ok: 200, tag: 'system/networking', path: `${root}-status`,
  response: array(ref('BfdStatus', object({
    peer: Ip, local: optional(nullable(Ip)), state: ref('BfdState', enumOf(bfdStates)), switch: Name,
    mode: BfdMode, detectionThreshold: uint8, requiredRx: uint64,
  })), unlimited),
})
