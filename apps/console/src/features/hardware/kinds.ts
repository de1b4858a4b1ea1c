/** The kinds of hardware as screens list and show them. Other pages do without, so they are not in the table of kinds. */
import {
  physicalDiskList,
  physicalDiskView,
  rackList,
  rackView,
  sledList,
  sledPhysicalDiskList,
  sledView,
  switchList,
  switchView,
} from '@purlin/contract/operations/hardware/hardware'
import type { Result } from '@purlin/contract/op'
import { isUuid } from '@purlin/contract/rules/names'
import { notFound } from '@tanstack/react-router'
import CircuitBoard from 'lucide-react/icons/circuit-board'
import EthernetPort from 'lucide-react/icons/ethernet-port'
import HardDrive from 'lucide-react/icons/hard-drive'
import Rows4 from 'lucide-react/icons/rows-4'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { load } from '#/api/query.ts'
import { kind, viewQuery, type RowOp, type ViewedKind } from '#/resource/kind.ts'

export type Sled = Item<typeof sledList>
export type PhysicalDisk = Item<typeof physicalDiskList>
export type Rack = Item<typeof rackList>
export type Switch = Item<typeof switchList>

export const sled = kind({
  name: 'sled',
  title: 'Sleds',
  icon: CircuitBoard,
  labelOf: ({ baseboard }) => baseboard.serial,
  list: sledList,
  view: sledView,
  related: [sledView],
})
export const physicalDisk = kind({
  name: 'physicalDisk',
  title: 'Disks',
  icon: HardDrive,
  labelOf: ({ serial }) => serial,
  list: physicalDiskList,
  view: physicalDiskView,
  related: [physicalDiskView, sledPhysicalDiskList],
})
export const rack = kind({
  name: 'rack',
  title: 'Racks',
  icon: Rows4,
  labelOf: ({ serial = '' }) => serial,
  list: rackList,
  view: rackView,
})
export const networkSwitch = kind({
  name: 'switch',
  title: 'Switches',
  icon: EthernetPort,
  labelOf: ({ baseboard }) => baseboard.serial,
  list: switchList,
  view: switchView,
})

/** All sleds of the fleet. */
export const sledsQuery = () => everyPage(sledList, { query: {} })

/** For loaders: the hardware that an address names by its id. */
export async function loadById<V extends RowOp>(of: ViewedKind<V>, id: string): Promise<Result<V>> {
  if (!isUuid(id)) notFound({ throw: true })
  return load(viewQuery(of, id))
}
