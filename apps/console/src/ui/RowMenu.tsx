import Ellipsis from 'lucide-react/icons/ellipsis'
import { MenuButton } from './MenuButton.tsx'
import type { MenuItem } from './menuItems.ts'

/** 'Row actions': the ⋯ at the end of a row. An entry named Delete is set as dangerous by itself. */
export function RowMenu({ items, label = 'Row actions' }: { items: readonly MenuItem[]; label?: string }) {
  const marked = items.map((item) =>
    'onAction' in item && item.label === 'Delete' ? { danger: true, ...item } : item,
  )
  return (
    <MenuButton
      label={label}
      items={marked}
      className="inline-grid size-6.5 place-content-center rounded-md text-tertiary hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink"
    >
      <Ellipsis size={16} />
    </MenuButton>
  )
}
