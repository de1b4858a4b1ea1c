import type { ReactNode } from 'react'
import { Dash } from './Dash.tsx'
import { Tooltip } from '../overlay/Tooltip.tsx'

/** The first of several items, and '+2' with the others in a tooltip under a title; a dash if there are none. */
export function FirstOf({
  items,
  title,
  cell = (first) => first,
}: {
  items: readonly string[]
  title: string
  /** How the first one is shown; the text itself unless given. */
  cell?: (first: string) => ReactNode
}) {
  const [first, ...others] = items
  if (first === undefined) return <Dash />
  return (
    <span className="inline-flex items-center gap-1.5">
      {cell(first)}
      {others.length > 0 && (
        <Tooltip
          content={
            <>
              <span className="block text-secondary">{title}</span>
              {others.map((other) => (
                <span key={other} className="block">
                  {other}
                </span>
              ))}
            </>
          }
        >
          <button type="button" className="mono rounded-sm text-secondary hover:text-ink">
            +{others.length}
          </button>
        </Tooltip>
      )}
    </span>
  )
}
