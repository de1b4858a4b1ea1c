import {
  networkingAddressLotCreate,
  networkingAddressLotView,
} from '@purlin/contract/operations/networking/address-lots'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { loadOrKeep, prefetch, query, readAnew } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { plainActions, useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { roleFor, roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { Card } from '#/ui/layout/Card.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { BigNum } from '#/ui/value/BigNum.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { descriptionProperty, idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { addressLot, blocksQuery, lotRequest, saveLot, type Block, type Lot } from '../kinds.ts'
import { lotKindWords, sizeOf, type Bounds } from '../words.ts'
import { AddBlock } from './AddBlock.tsx'

const lotQuery = (lot: string) => query(networkingAddressLotView, { params: { addressLot: lot } })

export const Route = createFileRoute('/_auth/system/networking/_network/address-lots/$addressLot')({
  loader: ({ params, cause }) =>
    Promise.all([loadOrKeep(cause, lotQuery(params.addressLot)), prefetch(blocksQuery(params.addressLot))]),
  staticData: {
    crumb: {
      label: (params) => params['addressLot'] ?? '',
      to: (params) => sections.addressLot.view({ name: params['addressLot'] ?? '' }),
    },
  },
  component: LotPage,
})

const { icon: Icon } = addressLot

function LotPage() {
  const { addressLot: name } = Route.useParams()
  const navigate = useNavigate()
  const { lot } = useLoaded(lotQuery(name))
  const leave = async () => {
    await readAnew(addressLot.list)
    await navigate({ href: sections.addressLot.list() })
  }
  const actions = plainActions(addressLot, {}, { note: () => 'Its blocks are deleted with it.', leave })
  const { menu, dialog } = useActions(actions, {}, roleScope(addressLot, {}))
  const items = menu(lot)
  useMenuInPalette(items)
  return (
    <>
      <PageHeader icon={<Icon />} title={lot.name}>
        <PageMenu label="Address lot actions" items={items} />
      </PageHeader>
      <PropertiesTable
        properties={[
          descriptionProperty(lot.description),
          { label: 'Kind', value: lotKindWords[lot.kind].label },
          { label: 'Created', value: <DateTime date={lot.timeCreated} /> },
          idProperty(lot.id),
        ]}
      />
      <Blocks lot={lot} />
      {dialog}
    </>
  )
}

const columns: readonly Column<Block>[] = [
  { id: 'first', header: 'First', mono: true, isRowHeader: true, cell: ({ firstAddress }) => firstAddress },
  { id: 'last', header: 'Last', mono: true, cell: ({ lastAddress }) => lastAddress },
  { id: 'size', header: 'Addresses', mono: true, cell: (block) => <Size size={sizeOf(block)} /> },
  { id: 'id', header: 'ID', mono: true, cell: ({ id }) => id },
]

const Size = ({ size }: { size: bigint | undefined }) => size !== undefined && <BigNum value={Number(size)} />

function Blocks({ lot }: { lot: Lot }) {
  const blocks = useLoaded(blocksQuery(lot.name))
  const [isAdding, setAdding] = useState(false)
  const { lacks } = useRole(...roleScope(addressLot, {}))
  const role = roleFor(networkingAddressLotCreate)
  const withBlock = (block: Bounds) => {
    const { name, description, kind } = lot
    return { name, description, kind, blocks: [block] }
  }
  return (
    <Card
      flush
      className="mt-6"
      title="Blocks"
      description="Ranges of addresses. Blocks of all lots must not overlap."
      actions={
        <Button disabledReason={role && lacks(role)} onClick={() => setAdding(true)}>
          Add block
        </Button>
      }
    >
      {blocks.length > 0 && (
        <Table
          label="Blocks"
          className="rounded-none border-0"
          columns={columns}
          rows={blocks}
          rowKey={({ id }) => id}
        />
      )}
      {isAdding && (
        <AddBlock
          onAdd={async (block) => {
            await saveLot(withBlock(block))
            addToast({ content: 'Block added' })
          }}
          request={(block) => lotRequest(withBlock(block))}
          onDismiss={() => setAdding(false)}
        />
      )}
    </Card>
  )
}
