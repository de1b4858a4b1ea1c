import { useRef } from 'react'
import { Dash } from '#/ui/value/Dash.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'

/** A description in a table: truncated only if the table has no more space, a dash if there is none. */
export function DescriptionCell({ text }: { text: string }) {
  const box = useRef<HTMLSpanElement>(null)
  const isCut = () => box.current !== null && box.current.scrollHeight > box.current.clientHeight
  if (text === '') return <Dash />
  return (
    <Tooltip
      content={<span className="wrap-anywhere">{text}</span>}
      delay={300}
      describes={false}
      canOpen={isCut}
    >
      {/* One line that could be broken anywhere: its column may then be narrower than the text. */}
      <span ref={box} className="line-clamp-1 min-w-24 wrap-anywhere whitespace-normal">
        {text}
      </span>
    </Tooltip>
  )
}
