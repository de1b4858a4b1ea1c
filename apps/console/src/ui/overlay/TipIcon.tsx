import type { ReactNode } from 'react'
import { Tooltip } from './Tooltip.tsx'

/** A small '?' named 'Tip' whose tooltip explains the label or heading next to it. */
export function TipIcon({ children }: { children: ReactNode }) {
  return (
    <Tooltip content={children} className="align-middle">
      <button
        type="button"
        aria-label="Tip"
        className="inline-grid size-4 place-content-center rounded-full border border-line-strong font-mono text-[10px] leading-none text-tertiary hover:border-tertiary hover:text-ink"
      >
        ?
      </button>
    </Tooltip>
  )
}
