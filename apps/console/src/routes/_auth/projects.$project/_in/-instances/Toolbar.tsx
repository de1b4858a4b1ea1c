import type { ReactNode } from 'react'
import { errorMessage } from '../../../../../send.ts'
import { formatTime } from '../../../../../lib/format.ts'
import { RefreshButton } from '../../../../../ui/RefreshButton.tsx'
import { Tooltip } from '../../../../../ui/Tooltip.tsx'

export interface ToolbarProps {
  onRefresh: () => unknown
  /** ms; when rows last came */
  updated: number
  /** Why the last attempt brought none. */
  error: unknown
  /** Before all else. */
  search: ReactNode
  /** At the right. */
  children?: ReactNode
}

/** Above the rows: read again, when they were read, and what can be done with those selected. */
export function Toolbar({ onRefresh, updated, error, search, children }: ToolbarProps) {
  return (
    <div className="mb-3 flex min-h-control flex-wrap items-center gap-x-3 gap-y-2">
      {search}
      <RefreshButton onRefresh={onRefresh} />
      {updated > 0 && (
        <Tooltip delay={150} content="Refreshes by itself, more often for a while after an instance action">
          <span className="text-secondary tabular-nums">Updated {formatTime(new Date(updated))}</span>
        </Tooltip>
      )}
      {Boolean(error) && updated > 0 && (
        <Tooltip content={errorMessage(error)}>
          <span role="status" className="text-danger">
            Could not refresh
          </span>
        </Tooltip>
      )}
      <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>
    </div>
  )
}
