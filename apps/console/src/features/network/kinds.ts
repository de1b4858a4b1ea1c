/** Kinds of the network as screens list and show them. Other pages do without, so they are not in the table of kinds. */
import {
  networkingAddressLotBlockList,
  networkingAddressLotCreate,
  networkingAddressLotDelete,
  networkingAddressLotList,
  networkingAddressLotView,
  networkingLoopbackAddressList,
} from '@purlin/contract/operations/networking/address-lots'
import type { Args } from '@purlin/contract/op'
import Layers from 'lucide-react/icons/layers'
import Repeat from 'lucide-react/icons/repeat'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { kind, reload } from '#/resource/kind.ts'

export type Lot = Item<typeof networkingAddressLotList>
export type Block = Item<typeof networkingAddressLotBlockList>
export type Loopback = Item<typeof networkingLoopbackAddressList>

export const addressLot = kind({
  name: 'addressLot',
  title: 'Address lots',
  icon: Layers,
  list: networkingAddressLotList,
  remove: networkingAddressLotDelete,
  related: [networkingAddressLotView, networkingAddressLotBlockList],
})
export const loopbackAddress = kind({
  name: 'loopbackAddress',
  title: 'Loopback addresses',
  icon: Repeat,
  labelOf: ({ address }) => address,
  list: networkingLoopbackAddressList,
})

export const lotsQuery = everyPage(networkingAddressLotList, { query: {} })
/** All blocks of a lot. */
export const blocksQuery = (lot: string) =>
  everyPage(networkingAddressLotBlockList, { params: { addressLot: lot }, query: {} })

/** The request that makes a lot, or adds the blocks to the one that has the name. */
export const lotRequest = (body: LotBody) => requestTo(networkingAddressLotCreate, { body })
type LotBody = Args<typeof networkingAddressLotCreate>['body']

/** Makes a lot, or adds the blocks to the one that has the name. */
export async function saveLot(body: LotBody): Promise<void> {
  await sendRequest(lotRequest(body))
  await Promise.all([reload(addressLot), invalidate(networkingAddressLotBlockList)])
}
