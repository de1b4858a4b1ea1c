import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Read } from '../api.ts'
import { formatSize } from '../lib/format.ts'
import { Button } from '../ui/Button.tsx'
import type { Selection } from '../ui/table/columns.ts'
import { addToast } from '../ui/toast.ts'
import { atOnce, countOf, NameList, tellFailures } from './bulk.tsx'
import { confirmAction } from './confirm.ts'
import { settleAll } from './instance/settleAll.ts'

interface Sized {
  id: string
  name: string
  /** bytes */
  size: number
}

/** What is deleted, and how. */
export interface BulkDelete<Row> {
  /** 'disk' */
  noun: string
  /** The query of the rows shown. */
  page: Read<{ items: Row[] }>
  /** Why a row cannot be deleted by this person or now. */
  refusal: (row: Row) => string | undefined
  /** What is lost and what stays. */
  note: string
  remove: (row: Row) => Promise<unknown>
  /** Reads the list again. */
  reload: () => Promise<unknown>
}

/** Lets rows of a list be selected and deleted together: the `selection` of its table, and the `bar` of its head. */
export function useBulkDelete<Row extends Sized>({
  noun,
  page,
  refusal,
  note,
  remove,
  reload,
}: BulkDelete<Row>): {
  selection: Selection<Row>
  bar: ReactNode
} {
  const [selected, onChange] = useState<ReadonlySet<string>>(new Set())
  const { data } = useQuery({ ...page, throwOnError: false, placeholderData: keepPreviousData })
  const rows = (data?.items ?? []).filter((row) => selected.has(row.id) && !refusal(row))
  const clear = () => onChange(new Set())
  const size = formatSize(rows.reduce((sum, row) => sum + row.size, 0))
  const ask = () =>
    confirmAction({
      modalTitle: `Delete ${countOf(rows.length, noun)}`,
      modalContent: (
        <>
          <p>Are you sure you want to delete these, {size} in all?</p>
          <NameList rows={rows} />
          <p>{note}</p>
        </>
      ),
      errorTitle: `Could not delete the ${noun}s`,
      actionType: 'danger',
      doAction: async () => {
        const failures = await settleAll(rows, atOnce, remove)
        await reload()
        const done = rows.length - failures.length
        if (done > 0) addToast({ content: `${countOf(done, noun)} deleted` })
        tellFailures(noun, 'deleted', failures)
        if (failures.length === 0) clear()
      },
    })
  return {
    selection: {
      mode: 'multiple',
      selected,
      onChange,
      labelOf: ({ name }) => `Select ${name}`,
      disabledReason: refusal,
    },
    bar: rows.length > 0 && (
      <div className="flex items-center gap-2 whitespace-nowrap">
        <span role="status" className="text-secondary">
          {rows.length} selected, {size}
        </span>
        <Button size="small" variant="danger" onClick={ask}>
          Delete
        </Button>
        <Button size="small" variant="ghost" onClick={clear}>
          Clear selection
        </Button>
      </div>
    ),
  }
}
