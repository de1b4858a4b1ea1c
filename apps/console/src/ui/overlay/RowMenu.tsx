import Ellipsis from 'lucide-react/icons/ellipsis'
import { useContext } from 'react'
import { MenuButton } from './MenuButton.tsx'
import type { MenuItem } from './menuItems.ts'
import { RowHeader } from '../table/rowHeader.ts'

/** 'Row actions': the ⋯ at the end of a row, whose name describes it. An entry named Delete is set as dangerous by itself. */
export function RowMenu({ items, label = 'Row actions' }: { items: readonly MenuItem[]; label?: string }) {
  const marked = items.map((item) =>
    'onAction' in item && item.label === 'Delete' ? { danger: true, ...item } : item,
  )
  const header = useContext(RowHeader)
  return (
    <MenuButton
      label={label}
      describedBy={header}
      items={marked}
      className="inline-grid size-6.5 place-content-center rounded-md text-tertiary hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink"
    >
      <Ellipsis size={16} />
    </MenuButton>
  )
}
