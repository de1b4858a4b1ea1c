import type { ReactNode } from 'react'
import { cx } from '#/lib/text.ts'

/** The foot of a panel or dialog: why it was refused, above its buttons. */
export const Foot = ({
  refusal,
  className,
  children,
}: {
  refusal?: ReactNode
  className: string
  children: ReactNode
}) => (
  <div className={cx('shrink-0 border-t border-line-faint', className)}>
    {refusal && <div className="[&>:not(:empty)]:mb-3">{refusal}</div>}
    <div className="flex items-center justify-end gap-2">{children}</div>
  </div>
)
