import { type ReactNode, useId, useRef, useState } from 'react'
import { cx } from '#/lib/text.ts'
import { IconButton, type IconButtonProps } from '../button/IconButton.tsx'
import { useDismiss } from './useDismiss.ts'
import { useFloating } from './useFloating.ts'

/** The props of the content of a popover. */
export interface PopoverParts {
  /** For the id of the heading, which names the popover. */
  titleId: string
  close: () => void
}

export interface InfoPopoverProps extends Pick<IconButtonProps, 'label' | 'size'> {
  icon: ReactNode
  /** The edge of the button that the popover is aligned with. */
  align: 'start' | 'end'
  className: string
  children: (parts: PopoverParts) => ReactNode
}

/** A button that shows and hides further information next to it, without taking the focus. */
export function InfoPopover({ icon, align, className, children, ...button }: InfoPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const titleId = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const box = useFloating<HTMLDivElement>({ isOpen, anchor, placement: `bottom-${align}`, gap: 6 })
  const close = () => setOpen(false)
  useDismiss(isOpen, [anchor, box], (by) => {
    close()
    if (by === 'escape') anchor.current?.querySelector('button')?.focus({ preventScroll: true })
  })
  return (
    <span ref={anchor} className="inline-flex">
      <IconButton {...button} aria-expanded={isOpen} aria-haspopup="dialog" onClick={() => setOpen(!isOpen)}>
        {icon}
      </IconButton>
      {isOpen && (
        <div
          ref={box}
          popover="manual"
          role="dialog"
          aria-labelledby={titleId}
          className={cx('floating-box max-w-[calc(100vw-2rem)] animate-appear', className)}
        >
          {children({ titleId, close })}
        </div>
      )}
    </span>
  )
}
