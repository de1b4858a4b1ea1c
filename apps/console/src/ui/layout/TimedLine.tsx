import type { ReactNode } from 'react'
import { RelativeTime } from '../value/RelativeTime.tsx'

interface TimedLineProps {
  /** Before the sentence. */
  badge?: ReactNode
  date?: Date | undefined
  /** The meaning of the time. */
  caption: string
  children: ReactNode
}

/** A sentence with its time at the end of the line. */
export const TimedLine = ({ badge, date, caption, children }: TimedLineProps) => (
  <div className="flex items-baseline gap-3">
    {badge}
    <p className="min-w-0 grow wrap-anywhere">{children}</p>
    {date && (
      <span className="shrink-0">
        <RelativeTime date={date} caption={caption} />
      </span>
    )}
  </div>
)
