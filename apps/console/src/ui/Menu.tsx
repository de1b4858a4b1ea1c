import Check from 'lucide-react/icons/check'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId } from 'react'
import type { Placement } from '../lib/place.ts'
import { cx } from '../lib/text.ts'
import { UiLink } from './link.tsx'
import type { MenuItem, MenuSection } from './menuItems.ts'
import { Tooltip } from './Tooltip.tsx'
import { useFloating } from './useFloating.ts'

/** How a menu was asked for decides where its focus starts. */
export type MenuStart = 'first' | 'last'

interface MenuProps {
  label: string
  sections: readonly MenuSection[]
  anchor: RefObject<HTMLElement | null>
  start: MenuStart
  placement: Placement
  onClose: (returnFocus: boolean) => void
}

const itemClass =
  'flex min-h-[30px] w-full items-center gap-2 rounded-sm px-2.5 py-1 text-left text-ink outline-none focus:bg-selected hover:bg-selected aria-disabled:text-tertiary aria-disabled:cursor-not-allowed'

const moves: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

// The next entry whose text starts with what was typed, looking on from the present one.
const typeAhead = (entries: HTMLElement[], at: number, letter: string): number => {
  const order = entries.map((_, i) => (at + 1 + i) % entries.length)
  return (
    order.find((i) => entries[i]?.textContent.trim().toLowerCase().startsWith(letter.toLowerCase())) ?? at
  )
}

function useMenuKeys(box: RefObject<HTMLElement | null>, onClose: (returnFocus: boolean) => void) {
  return (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.stopPropagation()
      if (event.key === 'Escape') event.preventDefault()
      onClose(true)
      return
    }
    const entries = [...(box.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
    const at = entries.findIndex((entry) => entry === document.activeElement)
    const move = moves[event.key]
    const isLetter = event.key.length === 1 && /\S/.test(event.key) && !event.ctrlKey && !event.metaKey
    if (!move && !isLetter) return
    event.preventDefault()
    event.stopPropagation()
    const next = move ? move(at, entries.length) : typeAhead(entries, at, event.key)
    entries[next]?.focus()
  }
}

/** The list of a menu, in the top layer beside its button. Use MenuButton or RowMenu, which open it. */
export function Menu({ label, sections, anchor, start, placement, onClose }: MenuProps) {
  const box = useFloating<HTMLDivElement>({ isOpen: true, anchor, placement, gap: 5 })
  const onKeyDown = useMenuKeys(box, onClose)
  const id = useId()
  useEffect(() => {
    const entries = [...(box.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
    const chosen = entries.find((entry) => entry.ariaChecked === 'true')
    const first = chosen ?? entries[0]
    ;(start === 'first' ? first : entries.at(-1))?.focus({ preventScroll: true })
    // Only when it opens: rows refetch under an open menu and must not move its focus.
  }, [box, start])
  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      const target = event.target as Node
      if (!box.current?.contains(target) && !anchor.current?.contains(target)) onClose(false)
    }
    document.addEventListener('pointerdown', onPress, true)
    return () => document.removeEventListener('pointerdown', onPress, true)
  }, [box, anchor, onClose])
  return (
    <div
      ref={box}
      popover="manual"
      role="menu"
      aria-label={label}
      data-react-aria-top-layer="true"
      onKeyDown={onKeyDown}
      className="floating-box max-h-[70vh] whitespace-normal min-w-44 overflow-y-auto p-1 text-sm animate-appear"
    >
      {sections.map((section, i) => (
        <div
          key={section.title ?? i}
          role="group"
          aria-labelledby={section.title ? `${id}-${i}` : undefined}
          className={cx('flex flex-col', i > 0 && 'mt-1 border-t border-line-faint pt-1')}
        >
          {section.title && (
            <div id={`${id}-${i}`} className="label-mono px-2.5 pt-1.5 pb-1">
              {section.title}
            </div>
          )}
          {section.items.map((item) => (
            <MenuEntry key={item.label} item={item} onClose={onClose} />
          ))}
        </div>
      ))}
    </div>
  )
}

function MenuEntry({ item, onClose }: { item: MenuItem; onClose: (returnFocus: boolean) => void }) {
  const role = item.checked === undefined ? 'menuitem' : 'menuitemradio'
  const shared = {
    role,
    tabIndex: -1,
    'aria-checked': item.checked,
    onPointerMove: (event: React.PointerEvent<HTMLElement>) =>
      event.currentTarget.focus({ preventScroll: true }),
  }
  const content: ReactNode = (
    <>
      {item.icon && <span className="grid w-4 place-content-center text-tertiary">{item.icon}</span>}
      <span className="grow">{item.label}</span>
      {item.checked && <Check size={14} className="text-accent-text" />}
    </>
  )
  const isDisabled = Boolean(item.disabledReason)
  const isLink = 'href' in item
  if (isLink && !isDisabled) {
    return (
      <UiLink {...shared} href={item.href} className={itemClass} onClick={() => onClose(true)}>
        {content}
      </UiLink>
    )
  }
  const press = () => {
    if (isLink || isDisabled) return
    // Focus goes home first, so that a dialog opened by the action returns it to the button.
    onClose(true)
    item.onAction()
  }
  const entry = (
    <button
      {...shared}
      type="button"
      aria-disabled={isDisabled || undefined}
      onClick={press}
      className={cx(
        itemClass,
        !isLink && item.danger && !isDisabled && 'text-danger! focus:bg-danger-soft! hover:bg-danger-soft!',
      )}
    >
      {content}
    </button>
  )
  if (!isDisabled) return entry
  return (
    <Tooltip content={item.disabledReason} placement="right" className="w-full" inMenu>
      {entry}
    </Tooltip>
  )
}
