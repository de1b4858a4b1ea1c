import { useRef, type ReactNode } from 'react'
import { Tooltip } from '../overlay/Tooltip.tsx'

interface CutTextProps {
  text: string
  /** rem: a text that takes about as much is never cut. */
  least?: number
  /** The text as it is shown, such as a link. */
  children?: ReactNode
}

/** About as many characters take a rem. */
const perRem = 2.6

/** One line of a cell, which ends with an ellipsis only if the table has no more space; the whole shows on hover. */
export function CutText({ text, least = 11, children = text }: CutTextProps) {
  const box = useRef<HTMLSpanElement>(null)
  const isCut = () => box.current !== null && box.current.scrollHeight > box.current.clientHeight + 1
  if (text.length <= perRem * least) return children
  return (
    <Tooltip
      content={<span className="wrap-anywhere">{text}</span>}
      delay={300}
      describes={false}
      canOpen={isCut}
    >
      {/* A line that could be broken anywhere: its column may then be narrower than the text. The outline of a link needs room. */}
      <span
        ref={box}
        className="-mx-0.5 line-clamp-1 px-0.5 wrap-anywhere whitespace-normal"
        style={{ minWidth: `${least}rem` }}
      >
        {children}
      </span>
    </Tooltip>
  )
}
