import Check from 'lucide-react/icons/check'
import { type RefObject, useEffect } from 'react'
import { cx } from '../../lib/text.ts'
import { useFloating } from '../useFloating.ts'
import { type Choice, ChoiceLine } from './choices.tsx'

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

/** The list below a combobox. Focus stays in the box; lines out of sight are not laid out, so a thousand cost little. */
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
  useEffect(() => {
    box.current?.querySelector(`[id="${id}-${at}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [at, id, box])
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
      <div id={id} role="listbox" aria-label={label} className="max-h-72 overflow-y-auto">
        {options.map((choice, i) => (
          <button
            type="button"
            tabIndex={-1}
            key={choice.value}
            id={`${id}-${i}`}
            role="option"
            aria-selected={choice.value === value}
            onPointerMove={() => i !== at && onPoint(i)}
            onClick={() => onChoose(choice)}
            className={cx(
              'flex min-h-[31px] w-full cursor-default! text-left items-center gap-2 rounded-sm px-2.5 py-1.5 [content-visibility:auto] [contain-intrinsic-block-size:auto_31px]',
              i === at && 'bg-selected',
              choice.value === value && 'text-accent-text',
            )}
          >
            <ChoiceLine choice={choice} />
            {choice.value === value && <Check size={14} aria-hidden className="shrink-0" />}
          </button>
        ))}
      </div>
      <div role="status" className="px-2.5 py-1.5 text-secondary empty:hidden">
        {options.length === 0 && emptyText}
      </div>
    </div>
  )
}
