import type { OpShape } from '@purlin/contract/op'
import { type Kind, roleFor, roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'

/** A card of rows with one action each. Nothing without rows. */
export interface ActionCardProps<R> {
  title: string
  description: string
  /** The name of the table. */
  label: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  rowKey: (row: R) => string
  action: {
    label: string
    /** The operation of the action, for the role that it needs on the kind. */
    op: OpShape
    kind: Pick<Kind, 'name'>
    onAction: (row: R) => void
  }
}

export function ActionCard<R>({ title, description, action, ...table }: ActionCardProps<R>) {
  const { lacks } = useRole(...roleScope(action.kind, {}))
  const role = roleFor(action.op)
  const disabledReason = role && lacks(role)
  if (table.rows.length === 0) return null
  return (
    <Card flush className="mb-4" title={title} description={description}>
      <Table
        {...table}
        className="rounded-none border-0"
        actions={(row) => (
          <Button size="small" disabledReason={disabledReason} onClick={() => action.onAction(row)}>
            {action.label}
          </Button>
        )}
      />
    </Card>
  )
}
