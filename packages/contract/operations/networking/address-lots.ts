/** Address lots: the addresses that the switches and the pools may use. Loopback addresses are taken from them. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { lotKinds } from '#/rules/networking.ts'
import { array, boolean, enumOf, object, ref, string, unlimited } from '#/schema.ts'
import { Ip, IpNet } from '#/schemas/address.ts'
import { identity, identityCreate } from '#/schemas/identity.ts'
import { uint8 } from '#/schemas/integers.ts'
import { byIdOf, byNameOf, page } from '#/schemas/page.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'

const tag = 'system/networking'
const read = { method: 'GET', allow: 'fleet.viewer', ok: 200, tag } as const
const write = { allow: 'fleet.admin', tag } as const
const root = '/v1/system/networking/address-lot'
const ofLot = { path: `${root}/{address_lot}`, params: object({ addressLot: NameOrId }) } as const

const AddressLotKind = ref('AddressLotKind', enumOf(lotKinds))
export const AddressLot = ref('AddressLot', object({ ...identity, kind: AddressLotKind }))
const bounds = { firstAddress: Ip, lastAddress: Ip }
export const AddressLotBlock = ref('AddressLotBlock', object({ id: Uuid, ...bounds }))
const whole = object({ lot: AddressLot, blocks: array(AddressLotBlock, unlimited) })

export const networkingAddressLotList = op({
  ...read, path: root, query: object(byNameOf('addressLot')),
  response: ref('AddressLotResultsPage', page(AddressLot)),
})
export const networkingAddressLotCreate = op({
  ...write, method: 'POST', path: root, ok: 201,
  body: ref('AddressLotCreate', object({
    ...identityCreate, kind: AddressLotKind,
    blocks: array(ref('AddressLotBlockCreate', object(bounds)), { count: limits.addressLot.blocks, noun: 'blocks' }),
  })),
  response: ref('AddressLotCreateResponse', whole),
})
export const networkingAddressLotView = op({
  ...read, ...ofLot, response: ref('AddressLotViewResponse', whole),
})
export const networkingAddressLotDelete = op({ ...write, ...ofLot, method: 'DELETE', ok: 204 })
export const networkingAddressLotBlockList = op({
  ...read, ...ofLot, path: `${root}/{address_lot}/blocks`, query: object(byIdOf('')),
  response: ref('AddressLotBlockResultsPage', page(AddressLotBlock)),
})

const loopback = '/v1/system/networking/loopback-address'
const location = string({ maxLength: limits.hardware.location })
export const LoopbackAddress = ref('LoopbackAddress', object({
  id: Uuid, addressLotBlockId: Uuid, rackId: Uuid, switchLocation: string(unlimited), address: IpNet,
}))
export const networkingLoopbackAddressList = op({
  ...read, path: loopback, query: object(byIdOf('')),
  response: ref('LoopbackAddressResultsPage', page(LoopbackAddress)),
})
export const networkingLoopbackAddressCreate = op({
  ...write, method: 'POST', path: loopback, ok: 201,
  body: ref('LoopbackAddressCreate', object({
    addressLot: NameOrId, rackId: Uuid, switchLocation: Name, address: Ip, mask: uint8, anycast: boolean(),
  })),
  response: LoopbackAddress,
})
export const networkingLoopbackAddressDelete = op({
  ...write, method: 'DELETE', path: `${loopback}/{rack_id}/{switch_location}/{address}/{subnet_mask}`, ok: 204,
  params: object({ rackId: Uuid, switchLocation: location, address: Ip, subnetMask: uint8 }),
})
