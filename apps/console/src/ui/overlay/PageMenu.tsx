import Ellipsis from 'lucide-react/icons/ellipsis'
import type { ReactNode } from 'react'
import { MenuButton, type MenuButtonProps } from './MenuButton.tsx'

interface PageMenuProps extends Pick<MenuButtonProps, 'items' | 'sections'> {
  label: string
  /** ⋯ unless given. */
  icon?: ReactNode
}

/** A menu in the header of a page: the actions of its resource, or the options of its list. */
export function PageMenu({ icon = <Ellipsis size={16} aria-hidden />, ...menu }: PageMenuProps) {
  return (
    <MenuButton
      {...menu}
      className="inline-grid size-8 place-content-center rounded-md border border-line bg-raised text-secondary hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink"
    >
      {icon}
    </MenuButton>
  )
}
