import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { Button } from '#/ui/Button.tsx'
import { IconButton } from '#/ui/IconButton.tsx'

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
  removeLabel?: (row: Row, index: number) => string
  emptyText?: string
}

export function MiniTable<Row>({
  label,
  rows,
  columns,
  rowKey,
  onRemove,
  removeLabel = (_, i) => `Remove item ${i + 1}`,
  emptyText,
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
            <th className="w-10 border-b border-line bg-sunken">
              <span className="sr-only">Remove</span>
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
            <tr key={rowKey(row)} className="[&:not(:last-child)>td]:border-b">
              {columns.map(({ header, cell }) => (
                <td key={header} className="mono h-9 truncate border-line-faint px-3">
                  {cell(row)}
                </td>
              ))}
              <td className="border-line-faint px-1.5 text-right">
                <IconButton label={removeLabel(row, i)} size="small" onClick={() => onRemove(row)}>
                  <X size={14} />
                </IconButton>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
