import { type ReactNode, useCallback, useRef, useState } from 'react'
import type { Placement } from '../lib/place.ts'
import { buttonClass, type ButtonSize, type ButtonVariant } from './Button.tsx'
import { Menu, type MenuStart } from './Menu.tsx'
import type { MenuItem, MenuSection } from './menuItems.ts'

/** A button that opens a menu. Give `items`, or `sections` when they fall into groups. The menu stays open
 * while its owner re-renders. */
export interface MenuButtonProps {
  /** Accessible name of the button and of the menu; the button's content when left out. */
  label?: string
  children: ReactNode
  items?: readonly MenuItem[]
  sections?: readonly MenuSection[]
  placement?: Placement
  variant?: ButtonVariant
  size?: ButtonSize
  /** Replaces the button look altogether. */
  className?: string
}

export function MenuButton({
  label,
  children,
  items = [],
  sections,
  placement = 'bottom-end',
  variant = 'secondary',
  size = 'medium',
  className,
}: MenuButtonProps) {
  const [start, setStart] = useState<MenuStart | undefined>()
  const button = useRef<HTMLButtonElement>(null)
  const close = useCallback((returnFocus: boolean) => {
    setStart(undefined)
    if (returnFocus) button.current?.focus({ preventScroll: true })
  }, [])
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setStart(event.key === 'ArrowUp' ? 'last' : 'first')
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={start !== undefined}
        className={className ?? buttonClass(variant, size)}
        onClick={() => setStart((now) => (now ? undefined : 'first'))}
        onKeyDown={onKeyDown}
      >
        {children}
      </button>
      {start && (
        <Menu
          label={label ?? 'Menu'}
          sections={sections ?? [{ items }]}
          anchor={button}
          start={start}
          placement={placement}
          onClose={close}
        />
      )}
    </>
  )
}
