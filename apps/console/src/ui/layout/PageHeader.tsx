import type { ReactNode } from 'react'

/**
 * The header of a page: its icon and `h1`, followed by a count or badge, controls at the right. The heading takes
 * focus after a page change, so that a screen reader starts there.
 */
export function PageHeader({
  icon,
  title,
  aside,
  children,
}: {
  icon?: ReactNode
  title: ReactNode
  aside?: ReactNode
  children?: ReactNode
}) {
  return (
    <header className="mb-[18px] flex min-h-control flex-wrap items-center gap-x-3 gap-y-2">
      {icon && <span className="text-tertiary [&>svg]:size-6 [&>svg]:stroke-[1.5]">{icon}</span>}
      <h1
        tabIndex={-1}
        className="min-w-0 text-xl leading-tight font-semibold tracking-[-0.012em] wrap-anywhere outline-none"
      >
        {title}
      </h1>
      {aside && <span className="mono text-secondary">{aside}</span>}
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2">{children}</div>
    </header>
  )
}
