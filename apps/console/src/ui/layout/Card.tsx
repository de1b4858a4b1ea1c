import type { ReactNode } from 'react'
import { cx } from '#/lib/text.ts'

/** A raised block about one subject: head with description and actions, body, foot. */
export interface CardProps {
  title?: ReactNode
  description?: ReactNode
  /** At the right of the head. */
  actions?: ReactNode
  footer?: ReactNode
  children?: ReactNode
  /** Let the body reach the edges, for a table or chart. */
  flush?: boolean
  /** Level of the title's heading. */
  level?: 2 | 3
  className?: string | undefined
}

export function Card({
  title,
  description,
  actions,
  footer,
  children,
  flush = false,
  level = 2,
  className,
}: CardProps) {
  const Title = level === 2 ? 'h2' : 'h3'
  return (
    <section
      className={cx(
        'flex min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-raised',
        className,
      )}
    >
      {title && (
        <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line-faint px-4 py-2.5">
          <div className="min-w-0 grow basis-48">
            <Title className="text-sm font-semibold">{title}</Title>
            {description && <p className="text-secondary">{description}</p>}
          </div>
          {actions && <div className="flex shrink-0 items-center gap-2">{actions}</div>}
        </header>
      )}
      {children && <div className={cx('grow', !flush && 'p-4')}>{children}</div>}
      {footer && (
        <footer className="flex items-center gap-2 border-t border-line-faint px-4 py-2.5 text-secondary">
          {footer}
        </footer>
      )}
    </section>
  )
}
