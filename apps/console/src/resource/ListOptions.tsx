import { urlOf } from '@purlin/contract/client'
import type { KindName } from '@purlin/contract/rules/kinds'
import { listExport } from '@purlin/contract/operations/list-export'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { useState } from 'react'
import { download } from '#/api/download.ts'
import { lazyDialog } from '#/ui/lazyDialog.tsx'
import type { MenuSection } from '#/ui/menuItems.ts'
import { PageMenu } from '#/ui/PageMenu.tsx'

const ViewsDialog = lazyDialog(() => import('./ViewsDialog.tsx'), 'ViewsDialog')

export interface ListOptionsProps {
  kind: KindName
  /** Which columns are shown. */
  columns: readonly MenuSection[]
  /** The address of all rows that match, if the server exports them. */
  exported: string | undefined
  /** Why there is nothing to export. */
  disabledReason: string | undefined
}

/** 'List options': the columns of a list, how it was looked at before, and its rows as a file. */
export function ListOptions({ kind, columns, exported, disabledReason }: ListOptionsProps) {
  const [isOpen, setOpen] = useState(false)
  const save = (list: string, format: 'csv' | 'jsonl') =>
    download(urlOf(listExport, { query: { list, format } }))
  const ofServer: MenuSection[] =
    exported === undefined
      ? []
      : [
          { title: 'Views', items: [{ label: 'Saved views…', onAction: () => setOpen(true) }] },
          {
            title: 'Export all that match',
            items: [
              { label: 'As CSV', disabledReason, onAction: () => save(exported, 'csv') },
              { label: 'As JSON lines', disabledReason, onAction: () => save(exported, 'jsonl') },
            ],
          },
        ]
  return (
    <>
      <PageMenu
        label="List options"
        icon={<SlidersHorizontal size={15} aria-hidden />}
        sections={[...columns, ...ofServer]}
      />
      {isOpen && <ViewsDialog kind={kind} onDismiss={() => setOpen(false)} />}
    </>
  )
}
