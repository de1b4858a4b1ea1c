import { type ReactNode, useRef } from 'react'
import { joinedByAnd } from '#/lib/format.ts'
import { cx } from '#/lib/text.ts'
import type { Column, Selection, Sort } from './columns.ts'
import { TableBody } from './TableBody.tsx'
import { TableHead } from './TableHead.tsx'
import { useEdges } from './useEdges.ts'
import { useFitting } from './useFitting.ts'
import { useFocusAfterRemoval } from './useFocusAfterRemoval.ts'

/**
 * A semantic table. The first column is pinned left, the row actions right; between them it scrolls sideways, with a
 * shadow where it continues.
 */
export interface TableProps<Row> {
  /** Accessible name. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Usually a RowMenu. */
  actions?: (row: Row) => ReactNode
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  /** Those that the list has; any unless given. */
  orders?: ReadonlySet<string> | undefined
  /** Why those by other columns than the name cannot be chosen now. */
  orderDisabledReason?: string | undefined
  selection?: Selection<Row>
  /** No rows yet: draws this many blank ones. */
  skeletonRows?: number
  /** Rows are shown while newer ones are loading. */
  busy?: boolean
  /** Key of a row to point out: it is scrolled to once. */
  marked?: string | undefined
  className?: string
}

export function Table<Row>(given: TableProps<Row>) {
  const { label, rows, skeletonRows = 0, busy = false, className } = given
  const box = useRef<HTMLDivElement>(null)
  const { shown: columns, left } = useFitting(box, given.columns)
  const props = { ...given, columns }
  const edges = useEdges(box)
  useFocusAfterRemoval(box, rows.map(props.rowKey))
  const isLoading = rows.length === 0 && skeletonRows > 0
  return (
    <div
      className={cx(
        'group/table relative overflow-hidden rounded-lg border border-line bg-raised',
        className,
      )}
      data-left={edges.left || undefined}
      data-right={edges.right || undefined}
    >
      <div
        ref={box}
        {...(edges.left || edges.right
          ? { tabIndex: 0, role: 'region', 'aria-label': `${label}, scrolls horizontally` }
          : {})}
        className="overflow-x-auto -outline-offset-2"
      >
        <table
          aria-label={label}
          aria-busy={busy || isLoading || undefined}
          className="w-full border-separate border-spacing-0"
        >
          <colgroup>
            {props.selection && <col className="w-10" />}
            {columns.map(({ id, width }) => (
              <col key={id} style={width ? { width } : undefined} />
            ))}
            {props.actions && <col className="w-10" />}
          </colgroup>
          <TableHead {...props} />
          <TableBody {...props} isLoading={isLoading} />
        </table>
      </div>
      {left.length > 0 && (
        <p className="border-t border-line-faint bg-sunken px-3.5 py-1 text-hint text-secondary">
          No room for {joinedByAnd(left.map(({ header }) => header))}
        </p>
      )}
    </div>
  )
}
