import type { Role } from '@purlin/contract/rules/roles'
import { useState, type ReactNode } from 'react'
import { useActions, type Action } from '#/resource/actions/actions.tsx'
import { roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { addressLot } from './kinds.ts'

interface Props<R> {
  title: string
  description: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  actions: readonly Action<R>[]
  add: { label: string; role: Role | undefined; dialog: (close: () => void) => ReactNode }
}

/** Rows of the fleet in a card, with what makes another one. */
export function CardTable<R extends { id: string }>({ title, description, ...props }: Props<R>) {
  const { columns, rows, actions, add } = props
  const [isAdding, setAdding] = useState(false)
  const scope = roleScope(addressLot, {})
  const { lacks } = useRole(...scope)
  const { menu, dialog } = useActions(actions, {}, scope)
  return (
    <Card
      flush
      title={title}
      description={description}
      actions={
        <NewButton
          variant="secondary"
          disabledReason={add.role && lacks(add.role)}
          onClick={() => setAdding(true)}
        >
          {add.label}
        </NewButton>
      }
    >
      {rows.length > 0 && (
        <Table
          label={title}
          className="rounded-none border-0"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          actions={(row) => <RowMenu items={menu(row)} />}
        />
      )}
      {isAdding && add.dialog(() => setAdding(false))}
      {dialog}
    </Card>
  )
}
