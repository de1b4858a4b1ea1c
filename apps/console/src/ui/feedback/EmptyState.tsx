import type { ReactNode } from 'react'
import { cx } from '#/lib/text.ts'

/** Shown instead of an empty list: its purpose in one sentence, and the button that creates the first item. */
export function EmptyState({
  icon,
  title,
  body,
  action,
  className,
}: {
  icon?: ReactNode
  title: string
  body?: ReactNode
  action?: ReactNode
  className?: string
}) {
  return (
    <div
      className={cx(
        'grid max-h-[480px] min-h-44 place-content-center justify-items-center px-8 py-9 text-center',
        className,
      )}
    >
      {icon && (
        <span className="mb-3 grid size-9 place-content-center rounded-md border border-line bg-raised text-secondary [&>svg]:size-4.5">
          {icon}
        </span>
      )}
      <p className="font-semibold">{title}</p>
      {body && <p className="mt-1 max-w-md text-balance text-secondary">{body}</p>}
      {action && <div className="mt-3.5">{action}</div>}
    </div>
  )
}
