import { useRef } from 'react'
import { cx, shorten } from '#/lib/text.ts'
import { CopyButton } from '../button/CopyButton.tsx'
import { Tooltip } from '../overlay/Tooltip.tsx'

/** Text that is cut to fit. Without `max` it is cut where the width of its column ends; with `max` at that many
 * characters, at the end or in the middle. The whole text shows on hover after 300 ms. */
export interface TruncateProps {
  text: string
  max?: number
  at?: 'end' | 'middle'
  /** Offer the whole text to the clipboard. With `max`, only when something was cut. */
  copyable?: boolean
  className?: string
}

export function Truncate({ text, max, at = 'end', copyable = false, className }: TruncateProps) {
  const box = useRef<HTMLSpanElement>(null)
  const shown = max === undefined ? text : shorten(text, max, at)
  const isCut = shown !== text
  const overflows = () => isCut || (box.current !== null && box.current.scrollWidth > box.current.clientWidth)
  return (
    <span className={cx('inline-flex max-w-full min-w-0 items-center gap-1 align-baseline', className)}>
      <Tooltip
        content={<span className="wrap-anywhere">{text}</span>}
        delay={300}
        describes={false}
        canOpen={overflows}
      >
        <span ref={box} className="relative truncate">
          {isCut ? (
            <>
              <span aria-hidden>{shown}</span>
              <span className="sr-only">{text}</span>
            </>
          ) : (
            text
          )}
        </span>
      </Tooltip>
      {copyable && (max === undefined || isCut) && <CopyButton text={text} />}
    </span>
  )
}
