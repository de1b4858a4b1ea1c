import { urlOf } from '@purlin/contract/client'
import { listExport } from '@purlin/contract/operations/list-export'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { download } from '#/api/download.ts'
import type { MenuSection } from '#/ui/menuItems.ts'
import { PageMenu } from '#/ui/PageMenu.tsx'

export interface ListOptionsProps {
  /** Which columns are shown. */
  columns: readonly MenuSection[]
  /** The address of all rows that match, if the server exports them. */
  exported: string | undefined
  /** Why there is nothing to export. */
  disabledReason: string | undefined
}

/** 'List options': the columns of a list, and its rows as a file. */
export function ListOptions({ columns, exported, disabledReason }: ListOptionsProps) {
  const save = (list: string, format: 'csv' | 'jsonl') =>
    download(urlOf(listExport, { query: { list, format } }))
  const files: MenuSection[] =
    exported === undefined
      ? []
      : [
          {
            title: 'Export all that match',
            items: [
              { label: 'As CSV', disabledReason, onAction: () => save(exported, 'csv') },
              { label: 'As JSON lines', disabledReason, onAction: () => save(exported, 'jsonl') },
            ],
          },
        ]
  return (
    <PageMenu
      label="List options"
      icon={<SlidersHorizontal size={15} aria-hidden />}
      sections={[...columns, ...files]}
    />
  )
}
