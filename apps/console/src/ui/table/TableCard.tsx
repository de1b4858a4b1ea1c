import type { ReactNode } from 'react'
import { Card, type CardProps } from '#/ui/layout/Card.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Table, type TableProps } from './Table.tsx'

export interface TableCardProps<Row>
  extends
    Pick<TableProps<Row>, 'columns' | 'rowKey' | 'skeletonRows' | 'selection'>,
    Pick<CardProps, 'description' | 'className'> {
  /** Names the card and its table. */
  title: string
  /** undefined while it is not known whether there are any. */
  rows: readonly Row[] | undefined
  /** At the end of each row. */
  rowActions: (row: Row) => ReactNode
  /** At the right of the card's head. */
  buttons?: ReactNode
  /** Shown instead of the table when there are no rows. */
  empty: { icon: ReactNode; title: string; body: ReactNode }
  /** Shown above the table. */
  notice?: ReactNode
}

/** A card that holds one table from edge to edge, or its empty state. */
export function TableCard<Row>(props: TableCardProps<Row>) {
  const { title, description, className, buttons, rows, rowActions, empty, notice, ...table } = props
  return (
    <Card title={title} description={description} className={className} actions={buttons} flush>
      {notice}
      {rows?.length === 0 ? (
        <EmptyState {...empty} className="m-4 min-h-36" />
      ) : (
        <Table
          {...table}
          label={title}
          rows={rows ?? []}
          actions={rowActions}
          className="rounded-none border-0"
        />
      )}
    </Card>
  )
}
