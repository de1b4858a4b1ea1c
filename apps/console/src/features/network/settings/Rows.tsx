import { useId, useState } from 'react'
import { useController, type Control } from 'react-hook-form'
import { Button } from '#/ui/button/Button.tsx'
import { MiniTable } from '#/ui/field/MiniTable.tsx'
import type { Draft } from './draft.ts'
import { RowDialog, type Offered } from '#/resource/form/RowDialog.tsx'
import type { Row, RowTable } from '#/resource/form/rowTable.ts'
import { textOf } from './words.ts'
import { newRow, rowTables, type RowTableName } from './rows.ts'

interface Props {
  name: RowTableName
  control: Control<Draft>
  offered: Offered
}

/** One of the tables of the editor: its rows, and the form that adds or changes one. */
export function Rows({ name, control, offered }: Props) {
  const table: RowTable = rowTables[name]
  const { field } = useController({ control, name })
  const [open, setOpen] = useState<{ row: Row; at?: number }>()
  const id = useId()
  const rows = field.value
  const save = (row: Row) => field.onChange(open?.at === undefined ? [...rows, row] : rows.with(open.at, row))
  const first = name === 'links' ? undefined : offered.links[0]
  const add = () => {
    const row = newRow(table)
    setOpen({ row: first ? { ...row, linkName: first.value } : row })
  }
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-lg font-semibold">
        {table.title}
      </h2>
      <MiniTable
        label={table.title}
        columns={table.shown.map((shown) => ({
          header: table.fields.find((one) => one.name === shown)?.label ?? shown,
          cell: (row: Row) => textOf(table, shown, row),
        }))}
        emptyText={`No ${table.title === 'BGP peers' ? table.title : table.title.toLowerCase()}`}
        rows={rows}
        rowKey={(row) => String(rows.indexOf(row))}
        editOf={(row) => () => setOpen({ row, at: rows.indexOf(row) })}
        editLabel={(row) => `Edit ${table.noun} ${textOf(table, table.shown[1] ?? '', row)}`}
        removeLabel={(row) => `Remove ${table.noun} ${textOf(table, table.shown[1] ?? '', row)}`}
        onRemove={(row) => field.onChange(rows.filter((other) => other !== row))}
      />
      <div>
        <Button
          size="small"
          disabledReason={
            rows.length >= table.most
              ? `There may be at most ${table.most}`
              : name !== 'links' && offered.links.length === 0
                ? 'Add a link first'
                : undefined
          }
          onClick={add}
        >
          Add {table.noun}
        </Button>
      </div>
      {open && (
        <RowDialog
          table={table}
          row={open.row}
          isNew={open.at === undefined}
          offered={offered}
          onSave={save}
          request={null}
          onDismiss={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}
