/** Fields of system networking. */
import { limits } from '#/rules/limits.ts'
import type { FieldSentences } from '../field-sentences.ts'

const kind = 'Whether the addresses are for the infrastructure or for pools.'
const bounds = {
  firstAddress: 'The first address.',
  lastAddress: 'The last address, included.',
}
const allowedIps = 'The source addresses that requests are accepted from.'
const loopback = {
  rackId: 'The id of the rack that the switch is in.',
  switchLocation: 'The place of the switch: `switch0` or `switch1`.',
}
const whole = { lot: 'The lot.', blocks: 'All its blocks.' }

export const networking: FieldSentences = {
  AddressLot: { kind },
  AddressLotCreate: { kind, blocks: `Its ranges of addresses, at most ${limits.addressLot.blocks}.` },
  AddressLotBlockCreate: bounds,
  AddressLotBlock: bounds,
  AddressLotCreateResponse: whole,
  AddressLotViewResponse: whole,
  LoopbackAddress: {
    ...loopback,
    addressLotBlockId: 'The id of the block that the address is from.',
    address: 'The address and the width of its network, such as `198.51.100.1/32`.',
  },
  LoopbackAddressCreate: {
    ...loopback,
    address: 'The address, which must be in a block of the lot.',
    mask: 'The width of its network: 32 or 128 for the address alone.',
    anycast: 'If true, several switches may have the address.',
  },
  networkingLoopbackAddressDelete: {
    ...loopback,
    address: 'The address.',
    subnetMask: 'The width of its network.',
  },
  AllowedSourceIps: {
    allow: 'Whether all addresses are accepted or those of a list.',
    ips: `The networks in CIDR notation, at most ${limits.allowList}.`,
  },
  AllowListUpdate: { allowedIps },
  AllowList: {
    allowedIps,
    timeRollBack:
      'When the former list counts again unless this one is confirmed, RFC 3339 in UTC; null for one that stays.',
  },
  networkingAllowListUpdate: {
    confirmWithin:
      'If given, the former list counts again after this many seconds unless the new one is confirmed.',
  },
  AllowListPreview: {
    added: 'The networks that are accepted in addition; all addresses are `0.0.0.0/0` and `::/0`.',
    removed: 'The networks that are no longer accepted.',
  },
  ServiceIcmpConfig: { enabled: 'True if they answer.' },
}
