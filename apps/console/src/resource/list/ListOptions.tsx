import { urlOf } from '@purlin/contract/client'
import type { ListedType } from '@purlin/contract/operations/lists/list-views'
import { listExport } from '@purlin/contract/operations/lists/list-export'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { useState, type ReactNode } from 'react'
import { toastFailure } from '../actions/toasts.tsx'
import { lazily } from '#/lib/lazily.tsx'
import type { MenuSection } from '#/ui/overlay/menuItems.ts'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { useChosenColumns } from './chosenColumns.ts'
import { usePaging } from './paging.ts'

const ViewsDialog = lazily(() => import('./views/ViewsDialog.tsx'), 'ViewsDialog')

type Format = 'csv' | 'jsonl'

/** The parts of an address for the whole list: search, filters and order. */
export interface AddressedView {
  text: string
  /** Shows the list as such a text says. */
  show: (text: string) => void
}

export interface ListOptionsOf<Row> {
  /** The type of the rows: columns and views are stored for it. */
  type: ListedType
  columns: readonly Column<Row>[]
  /** Where all rows that match are downloaded; undefined if the server does not know such files, nor views. */
  exported: ((format: Format) => string) | undefined
  /** Why there is nothing to export. */
  disabledReason: string | undefined
  /** That of pages, a search and filters unless given. */
  view?: AddressedView
}

/** The file with all rows of a list, by the address of the list with its parameters. */
export const exportOf = (list: string) => (format: Format) => urlOf(listExport, { query: { list, format } })

/** Why an export of these rows makes no sense. */
export const exportReason = (page: { items: readonly unknown[] } | undefined): string | undefined =>
  page?.items.length === 0 ? 'There are no rows' : undefined

/** Saves a file. What does that is loaded with the first one: few visits to a list have one. */
export async function saveExport(url: string): Promise<void> {
  try {
    const { download } = await import('#/api/download.ts')
    await download(url)
  } catch (error) {
    toastFailure('Could not export', error)
  }
}

/** 'List options': the columns of a list, how it was looked at before, and its rows as a file. */
export function useListOptions<Row>({ type, exported, disabledReason, ...list }: ListOptionsOf<Row>): {
  /** Those that are shown. */
  columns: readonly Column<Row>[]
  button: ReactNode
} {
  const paging = usePaging()
  const { view = { text: paging.view, show: paging.showView } } = list
  const [isOpen, setOpen] = useState(false)
  const columns = useChosenColumns(type, list.columns)
  const save = (format: Format) => exported && void saveExport(exported(format))
  const ofServer: MenuSection[] =
    exported === undefined
      ? []
      : [
          { title: 'Views', items: [{ label: 'Saved views…', onAction: () => setOpen(true) }] },
          {
            title: 'Export all that match',
            items: [
              { label: 'As CSV', disabledReason, onAction: () => save('csv') },
              { label: 'As JSON lines', disabledReason, onAction: () => save('jsonl') },
            ],
          },
        ]
  const button = (
    <>
      <PageMenu
        label="List options"
        icon={<SlidersHorizontal size={15} aria-hidden />}
        sections={[...columns.sections, ...ofServer]}
      />
      {isOpen && <ViewsDialog type={type} view={view} onDismiss={() => setOpen(false)} />}
    </>
  )
  return { columns: columns.shown, button }
}
