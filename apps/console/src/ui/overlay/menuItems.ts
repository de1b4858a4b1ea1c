import type { ReactNode } from 'react'

interface MenuEntry {
  label: string
  icon?: ReactNode
  /** Shown as the chosen one of its section, or as one of those; makes the entry a radio item or a check box. */
  checked?: boolean
  /** With a reason the entry stays focusable but does nothing. */
  disabledReason?: ReactNode
}
/** A menu entry that does something. */
export interface MenuAction extends MenuEntry {
  onAction: () => void
  /** Finds a reason like `disabledReason` when the menu opens. */
  findReason?: () => Promise<string | undefined>
  danger?: boolean
}
/** A menu entry that leads somewhere. */
export interface MenuLink extends MenuEntry {
  href: string
}
/** One line of a menu. */
export type MenuItem = MenuAction | MenuLink
/** Lines that belong together, with an optional heading; sections are parted by a line. */
export interface MenuSection {
  title?: string
  items: readonly MenuItem[]
  /** Any number of its entries may be checked: the menu stays open while one chooses. */
  isMultiple?: boolean
}
