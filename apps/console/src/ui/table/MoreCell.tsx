import type { ReactNode } from 'react'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'

/** The first of several items, and '+N' whose tooltip lists the rest under a small title. */
export function MoreCell({ title, items }: { title: string; items: readonly ReactNode[] }) {
  const [first, ...rest] = items
  if (rest.length === 0) return first
  const list = (
    <>
      <span className="label-mono mb-1 block">{title}</span>
      {rest.map((item, i) => (
        <span key={i} className="block">
          {item}
        </span>
      ))}
    </>
  )
  return (
    <span className="inline-flex items-center gap-1.5">
      {first}
      <Tooltip content={list}>
        <button
          type="button"
          className="mono relative rounded-sm border border-line px-1 text-secondary hover:text-ink"
        >
          +{rest.length}
        </button>
      </Tooltip>
    </span>
  )
}
