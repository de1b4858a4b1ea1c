import Check from 'lucide-react/icons/check'
import { type ReactNode, type RefObject, useRef } from 'react'
import { Header } from 'react-aria-components/Header'
import { Menu as List, MenuItem as Line, MenuSection as Group } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { cx } from '#/lib/text.ts'
import { UiLink } from '../button/link.tsx'
import type { MenuItem, MenuSection } from './menuItems.ts'
import { Tooltip } from './Tooltip.tsx'
import { useDismiss } from './useDismiss.ts'
import { useFoundReason } from './useFoundReason.ts'

export interface MenuProps {
  label: string
  sections: readonly MenuSection[]
  button: RefObject<HTMLButtonElement | null>
  /** Where the focus starts. */
  start: 'first' | 'last'
  onClose: () => void
}

const lineClass =
  'flex min-h-[30px] w-full cursor-pointer items-center gap-2 rounded-sm px-2.5 py-1 text-left text-ink outline-none data-focused:bg-selected aria-disabled:text-tertiary aria-disabled:cursor-not-allowed'

/** The list of a menu at its button. Use MenuButton or RowMenu, which open it. */
export function Menu({ label, sections, button, start, onClose }: MenuProps) {
  const box = useRef<HTMLElement>(null)
  const focus = { autoFocus: start }
  // Not modal, so that the page can still be scrolled; a press outside must then be handled here.
  useDismiss(true, [button, box], onClose)
  return (
    <Popover
      ref={box}
      isOpen
      isNonModal
      triggerRef={button}
      placement="bottom end"
      offset={5}
      shouldCloseOnInteractOutside={(element) => !button.current?.contains(element)}
      onOpenChange={onClose}
      // It lies outside the page's landmarks.
      render={(props) => <div {...props} role="region" aria-label={label} />}
      className="floating-box max-h-[70vh] min-w-44 overflow-y-auto p-1 text-sm animate-appear"
    >
      <List aria-label={label} {...focus} shouldFocusWrap onClose={onClose} className="outline-none">
        {sections.map((section, i) => (
          <Group
            key={section.title ?? i}
            {...(section.title ? {} : { 'aria-label': label })}
            {...chosenOf(section)}
            className={cx('flex flex-col', i > 0 && 'mt-1 border-t border-line-faint pt-1')}
          >
            {section.title && <Header className="label-mono px-2.5 pt-1.5 pb-1">{section.title}</Header>}
            {section.items.map((item) => (
              <MenuLine key={item.label} item={item} staysOpen={section.isMultiple} />
            ))}
          </Group>
        ))}
      </List>
    </Popover>
  )
}

/** A section with checked entries is one to choose from. */
const chosenOf = ({ items, isMultiple }: MenuSection) =>
  items.some(({ checked }) => checked !== undefined)
    ? {
        selectionMode: isMultiple ? ('multiple' as const) : ('single' as const),
        selectedKeys: items.filter(({ checked }) => checked).map((item) => item.label),
      }
    : {}

interface LineProps {
  item: MenuItem
  staysOpen: boolean | undefined
}

const stillLooking = 'Checking whether this can be done now'

/** The reason that an entry has or finds. Until it is known, the entry waits. */
function useReason(item: MenuItem): ReactNode {
  const find = item.disabledReason || !('findReason' in item) ? undefined : item.findReason
  const found = useFoundReason(find)
  if (!find) return item.disabledReason
  return found ? found.reason : stillLooking
}

function MenuLine({ item, staysOpen = false }: LineProps) {
  const { icon, label, checked } = item
  const disabledReason = useReason(item)
  const act = 'onAction' in item && !disabledReason ? { onAction: item.onAction } : {}
  return (
    <Line
      id={label}
      textValue={label}
      {...act}
      {...('href' in item && !disabledReason ? { href: item.href } : {})}
      // It stays focusable, so that its reason can be read.
      shouldCloseOnSelect={!disabledReason && !staysOpen}
      className={cx(
        lineClass,
        'danger' in item && item.danger && !disabledReason && 'text-danger! data-focused:bg-danger-soft!',
      )}
      render={(props) => {
        if ('href' in props) return <UiLink {...props} href={props.href ?? ''} />
        if (!disabledReason) return <div {...props} />
        return (
          <Tooltip content={disabledReason} placement="right" className="w-full" inMenu>
            <div {...props} aria-disabled />
          </Tooltip>
        )
      }}
    >
      {icon && <span className="grid w-4 place-content-center text-tertiary">{icon}</span>}
      <span className="grow">{label}</span>
      {checked && <Check size={14} className="text-accent-text" />}
    </Line>
  )
}
