import Ellipsis from 'lucide-react/icons/ellipsis'
import { MenuButton, type MenuButtonProps } from './MenuButton.tsx'

/** The ⋯ menu in the header of a page: the actions of its resource. */
export function PageMenu({ label, items }: Required<Pick<MenuButtonProps, 'label' | 'items'>>) {
  return (
    <MenuButton
      label={label}
      items={items}
      className="inline-grid size-8 place-content-center rounded-md border border-line bg-raised text-secondary hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink"
    >
      <Ellipsis size={16} aria-hidden />
    </MenuButton>
  )
}
