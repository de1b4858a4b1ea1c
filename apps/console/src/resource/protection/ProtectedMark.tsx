import ShieldCheck from 'lucide-react/icons/shield-check'
import type { ReactNode } from 'react'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import type { Column } from '#/ui/table/columns.ts'
import type { Identified } from '../kind.ts'
import { isProtected } from './actions.ts'

const text = 'Protected from deletion'

/** A shield next to the name of what cannot be deleted. */
const ProtectedMark = () => (
  <Tooltip content={text} describes={false} className="relative shrink-0 text-secondary">
    <ShieldCheck size={14} role="img" aria-label={text} />
  </Tooltip>
)

const Marked = ({ row, children }: { row: Identified; children: ReactNode }) =>
  isProtected(row) ? (
    <span className="flex items-center gap-1.5">
      {children}
      <ProtectedMark />
    </span>
  ) : (
    children
  )

/** The columns of a list, with the mark next to the names of those that are protected. */
export const withProtectedMark = <R extends Identified>(
  columns: readonly Column<R>[],
): readonly Column<R>[] =>
  columns.map((column) =>
    column.id === 'name'
      ? { ...column, cell: (row) => <Marked row={row}>{column.cell(row)}</Marked> }
      : column,
  )
