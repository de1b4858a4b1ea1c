import Check from 'lucide-react/icons/check'
import { type RefObject, type UIEvent, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../../lib/text.ts'
import { useFloating } from '../useFloating.ts'
import { type Choice, ChoiceLine } from './choices.tsx'
import { drawnRows, scrollFor } from './optionWindow.ts'

interface OptionListProps {
  id: string
  label: string
  anchor: RefObject<HTMLElement | null>
  options: readonly Choice[]
  value: string
  /** The marked line, or -1. */
  at: number
  emptyText: string
  onPoint: (index: number) => void
  onChoose: (choice: Choice) => void
}

/** The list below a combobox. Focus stays in the box; lines out of sight are not drawn, so a thousand cost little. */
export function OptionList({
  id,
  label,
  anchor,
  options,
  value,
  at,
  emptyText,
  onPoint,
  onChoose,
}: OptionListProps) {
  const box = useFloating<HTMLDivElement>({
    isOpen: true,
    anchor,
    placement: 'bottom-start',
    gap: 5,
    matchWidth: true,
  })
  const { list, rows, rowHeight, onScroll } = useRows(options, at)
  return (
    // Pressing the list must not take the focus from the box.
    <div
      ref={box}
      popover="manual"
      role="presentation"
      data-react-aria-top-layer="true"
      onMouseDown={(event) => event.preventDefault()}
      className="floating-box p-1 text-sm animate-appear"
    >
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        onScroll={onScroll}
        className="max-h-72 overflow-y-auto"
      >
        <div role="presentation" className="relative" style={{ height: options.length * rowHeight }}>
          {rows.map(({ choice, i }) => (
            <button
              type="button"
              tabIndex={-1}
              key={choice.value}
              id={`${id}-${i}`}
              role="option"
              aria-selected={choice.value === value}
              aria-setsize={options.length}
              aria-posinset={i + 1}
              onPointerMove={() => i !== at && onPoint(i)}
              onClick={() => onChoose(choice)}
              style={{ top: i * rowHeight, height: rowHeight }}
              className={cx(
                'absolute flex w-full cursor-default! items-center gap-2 rounded-sm px-2.5 text-left',
                i === at && 'bg-selected',
                choice.value === value && 'text-accent-text',
              )}
            >
              <ChoiceLine choice={choice} />
              {choice.value === value && <Check size={14} aria-hidden className="shrink-0" />}
            </button>
          ))}
        </div>
      </div>
      <div role="status" className="px-2.5 py-1.5 text-secondary empty:hidden">
        {options.length === 0 && emptyText}
      </div>
    </div>
  )
}

/** rem: a line of text alone, and one with a second line below it. */
const heights = { one: 1.9375, two: 2.9375 }

/** The rows to draw, while the list is scrolled and another row is marked. All rows of a list are equally high. */
function useRows(options: readonly Choice[], at: number) {
  const list = useRef<HTMLDivElement>(null)
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
  const [{ scrollTop, viewHeight }, setView] = useState({ scrollTop: 0, viewHeight: 18 * rem })
  const rowHeight =
    rem * (options.some(({ description }) => Boolean(description)) ? heights.two : heights.one)
  const view = { count: options.length, rowHeight, viewHeight, scrollTop, at }
  useLayoutEffect(() => {
    const box = list.current
    if (!box) return
    box.scrollTop = scrollFor({ ...view, scrollTop: box.scrollTop, viewHeight: box.clientHeight })
    setView({ scrollTop: box.scrollTop, viewHeight: box.clientHeight })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a mark that moves scrolls the list; scrolling does not
  }, [at, options.length, rowHeight])
  const rows = drawnRows(view).flatMap((i) => {
    const choice = options[i]
    return choice ? [{ choice, i }] : []
  })
  return {
    list,
    rows,
    rowHeight,
    onScroll: ({ currentTarget: { scrollTop: to } }: UIEvent<HTMLElement>) =>
      setView({ scrollTop: to, viewHeight }),
  }
}
