import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { buttonClass, type ButtonSize, type ButtonVariant } from '../button/Button.tsx'
import { afterScroll } from '../layout/afterScroll.ts'
import { Menu } from './Menu.tsx'
import type { MenuItem, MenuSection } from './menuItems.ts'

/** A button that opens a menu. Give `items`, or `sections` when they fall into groups. The menu stays open
 * while its owner re-renders. */
export interface MenuButtonProps {
  /** Accessible name of the button and of the menu; the button's content when left out. */
  label?: string
  /** The id of the element that says what the menu is about. */
  describedBy?: string | undefined
  children: ReactNode
  items?: readonly MenuItem[]
  sections?: readonly MenuSection[]
  variant?: ButtonVariant
  size?: ButtonSize
  /** Replaces the button look altogether. */
  className?: string
}

const textOf = (id: string | undefined): string | undefined =>
  id === undefined ? undefined : (document.getElementById(id)?.textContent ?? undefined)

export function MenuButton({
  label,
  describedBy,
  children,
  items = [],
  sections,
  variant = 'secondary',
  size = 'medium',
  className,
}: MenuButtonProps) {
  const [start, setStart] = useState<'first' | 'last' | undefined>()
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = start !== undefined
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const opener = button.current
    // The library gives the focus back a frame later. A dialog that an entry opens before that would return it nowhere.
    return () => {
      if (document.activeElement === document.body) opener?.focus({ preventScroll: true })
    }
  }, [isOpen])
  const close = () => setStart(undefined)
  const open = (from: 'first' | 'last') => void afterScroll().then(() => setStart(from))
  // Enter and space would come as a click without a pointer, after which the focus stays on the list as a whole.
  const onKeyDown = (event: KeyboardEvent) => {
    if (!['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(event.key)) return
    event.preventDefault()
    open(event.key === 'ArrowUp' ? 'last' : 'first')
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-describedby={describedBy}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={className ?? buttonClass(variant, size)}
        onClick={() => (start ? close() : open('first'))}
        onKeyDown={onKeyDown}
      >
        {children}
      </button>
      {start && (
        <Menu
          label={[label ?? 'Menu', textOf(describedBy)].filter(Boolean).join(': ')}
          sections={sections ?? [{ items }]}
          button={button}
          start={start}
          onClose={close}
        />
      )}
    </>
  )
}
