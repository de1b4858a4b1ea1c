import type { networkingAddressLotList } from '@purlin/contract/operations/networking/address-lots'
import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { plainActions } from '#/resource/actions/actions.tsx'
import { createdColumn, descriptionColumn } from '#/resource/list/columns.tsx'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { addressLot, type Lot } from '../kinds.ts'
import { lotKindWords } from '../words.ts'

export const Route = createFileRoute('/_auth/system/networking/_network/_tabs/_address-lots')({
  ...listRoute({ title: 'Address Lots', section: sections.addressLot }),
  loader: (match) => loadList(lots, match),
  component: () => <ResourceList list={lots} />,
})

const lots: ListOf<typeof networkingAddressLotList> = {
  kind: addressLot,
  isTab: true,
  create: { role: 'admin' },
  emptyBody: 'A lot holds the addresses that the switches may use or announce.',
  actions: () => plainActions(addressLot, {}, { note: () => 'Its blocks are deleted with it.' }),
  columns: () => [
    {
      id: 'name',
      header: 'name',
      order: 'name',
      cell: ({ name }: Lot) => <CellLink href={sections.addressLot.view({ name })}>{name}</CellLink>,
    },
    { id: 'kind', header: 'kind', cell: ({ kind }: Lot) => lotKindWords[kind].label },
    descriptionColumn,
    createdColumn,
  ],
}
