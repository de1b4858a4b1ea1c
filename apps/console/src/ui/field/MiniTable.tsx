import Pencil from 'lucide-react/icons/pencil'
import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { cx } from '#/lib/text.ts'
import { Button } from '#/ui/button/Button.tsx'
import { IconButton } from '#/ui/button/IconButton.tsx'

/** One column of a mini table. */
export interface MiniColumn<Row> {
  header: string
  cell: (row: Row) => ReactNode
}

/** Sub-items of a form, one a row, each removable. Absent while empty unless `emptyText` is given. */
export interface MiniTableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly MiniColumn<Row>[]
  rowKey: (row: Row) => string
  onRemove: (row: Row) => void
  /** Opens the row in its form; undefined for rows that have none. */
  editOf?: (row: Row) => (() => void) | undefined
  editLabel?: (row: Row) => string
  removeLabel?: (row: Row, index: number) => string
  emptyText?: string
  /** The problem with a row. It is shown below the row, which gets the focus when the problem is found. */
  rowError?: (row: Row, index: number) => string | undefined
}

export function MiniTable<Row>({
  label,
  rows,
  columns,
  rowKey,
  onRemove,
  editOf,
  editLabel = () => 'Edit item',
  removeLabel = (_, i) => `Remove item ${i + 1}`,
  emptyText,
  rowError = () => undefined,
}: MiniTableProps<Row>) {
  if (rows.length === 0 && !emptyText) return null
  return (
    <div className="overflow-hidden rounded-md border border-line">
      <table aria-label={label} className="w-full table-fixed border-separate border-spacing-0">
        <thead>
          <tr>
            {columns.map(({ header }) => (
              <th
                key={header}
                scope="col"
                className="label-mono h-7.5 border-b border-line bg-sunken px-3 text-left"
              >
                {header}
              </th>
            ))}
            <th className={cx(editOf ? 'w-18' : 'w-10', 'border-b border-line bg-sunken')}>
              <span className="sr-only">{editOf ? 'Edit or remove' : 'Remove'}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length + 1} className="h-9 px-3 text-secondary">
                {emptyText}
              </td>
            </tr>
          )}
          {rows.map((row, i) => (
            <MiniRow key={rowKey(row)} error={rowError(row, i)} width={columns.length + 1}>
              {columns.map(({ header, cell }) => (
                <td key={header} className="mono h-9 truncate border-line-faint px-3">
                  {cell(row)}
                </td>
              ))}
              <td className="border-line-faint px-1.5 text-right whitespace-nowrap">
                <EditButton label={editLabel(row)} onEdit={editOf?.(row)} />
                <IconButton label={removeLabel(row, i)} size="small" onClick={() => onRemove(row)}>
                  <X size={14} />
                </IconButton>
              </td>
            </MiniRow>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const EditButton = ({ label, onEdit }: { label: string; onEdit: (() => void) | undefined }) =>
  onEdit && (
    <IconButton label={label} size="small" onClick={onEdit}>
      <Pencil size={13} />
    </IconButton>
  )

/** A row, and below it what is wrong with it. */
function MiniRow({
  error,
  width,
  children,
}: {
  error: string | undefined
  width: number
  children: ReactNode
}) {
  const id = useId()
  const row = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (error === undefined) return
    row.current?.focus()
    // The text is part of what is to be seen.
    row.current?.nextElementSibling?.scrollIntoView({ block: 'nearest' })
  }, [error])
  return (
    <>
      <tr
        ref={row}
        tabIndex={error === undefined ? undefined : -1}
        aria-describedby={error === undefined ? undefined : id}
        className={cx(
          error === undefined ? '[&:not(:last-child)>td]:border-b' : 'bg-danger-soft',
          'focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus',
        )}
      >
        {children}
      </tr>
      {error !== undefined && (
        <tr className="bg-danger-soft [&:not(:last-child)>td]:border-b">
          <td id={id} colSpan={width} className="border-line-faint px-3 pb-2 wrap-anywhere text-danger">
            {error}
          </td>
        </tr>
      )}
    </>
  )
}

/** The buttons of the sub-form above a mini table; both wait for something to be entered. */
export function MiniTableButtons({
  addLabel,
  isEmpty,
  onAdd,
  onClear,
}: {
  addLabel: string
  isEmpty: boolean
  onAdd: () => void
  onClear: () => void
}) {
  const reason = isEmpty ? 'Fill in the fields above first' : undefined
  return (
    <div className="flex justify-end gap-2">
      <Button variant="ghost" size="small" disabledReason={reason} onClick={onClear}>
        Clear
      </Button>
      <Button size="small" disabledReason={reason} onClick={onAdd}>
        {addLabel}
      </Button>
    </div>
  )
}
