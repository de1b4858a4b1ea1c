import type { RefObject } from 'react'
import { cx } from '#/lib/text.ts'
import { useFloating } from '#/ui/overlay/useFloating.ts'

interface Options {
  id: string
  anchor: RefObject<HTMLElement | null>
  options: readonly string[]
  active: number
  onChoose: (option: string) => void
}

export const optionId = (list: string, index: number): string => `${list}-${index}`

/** The words that can be meant, under the search box. The focus stays in the box. */
export function QueryOptions({ id, anchor, options, active, onChoose }: Options) {
  const box = useFloating<HTMLDivElement>({ isOpen: true, anchor, placement: 'bottom-start', gap: 4 })
  return (
    <div ref={box} popover="manual" className="floating-box min-w-48 p-1">
      <div id={id} role="listbox" aria-label="Words">
        {options.map((option, index) => (
          <div
            key={option}
            id={optionId(id, index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerDown={(event) => {
              // The box keeps the focus.
              event.preventDefault()
              onChoose(option)
            }}
            className={cx(
              'mono cursor-default rounded-sm px-2.5 py-1.5 text-ink hover:bg-selected',
              index === active && 'bg-selected',
            )}
          >
            {option}
          </div>
        ))}
      </div>
    </div>
  )
}
