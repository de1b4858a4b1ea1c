import type { ReactNode } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { formatTime } from '#/lib/format.ts'
import { RefreshButton } from '#/ui/button/RefreshButton.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'

export interface ListToolbarProps {
  onRefresh: () => unknown
  /** ms; when rows last came */
  updated: number
  /** Why the last attempt failed. */
  error: unknown
  /** Shown first. */
  search: ReactNode
  /** At the right. */
  children?: ReactNode
}

/** The bar above the rows: a refresh button, when they were last read, and actions on the selected ones. */
export function ListToolbar({ onRefresh, updated, error, search, children }: ListToolbarProps) {
  return (
    <div className="mb-3 flex min-h-control flex-wrap items-center gap-x-3 gap-y-2">
      {search}
      <RefreshButton onRefresh={onRefresh} />
      {updated > 0 && (
        <Tooltip delay={150} content="Refreshes automatically, more often after an action on an instance">
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
