import type { ReactNode } from 'react'
import { ProgressBar } from '#/ui/feedback/ProgressBar.tsx'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'

export interface EntryProps {
  title: string
  since?: Date
  /** How much is done, unless it has ended. */
  percent?: number | undefined
  isHeld?: boolean
  children: ReactNode
}

/** One task, upload or import in the panel of activity. */
export function Entry({ title, since, percent, isHeld = false, children }: EntryProps) {
  return (
    <section aria-label={title} className="space-y-1.5 border-b border-line-faint pb-4 last:border-b-0">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="font-[550] wrap-anywhere">{title}</h3>
        {since && <RelativeTime date={since} />}
      </div>
      {percent !== undefined && (
        <ProgressBar label={`Progress: ${title}`} percent={percent} isHeld={isHeld} />
      )}
      {children}
    </section>
  )
}

/** The controls of the entry. */
export const Controls = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2 empty:hidden">{children}</div>
)
