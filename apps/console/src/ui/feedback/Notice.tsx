import CircleAlert from 'lucide-react/icons/circle-alert'
import Info from 'lucide-react/icons/info'
import type { ReactNode } from 'react'
import { cx } from '#/lib/text.ts'

type Tone = 'info' | 'danger'
const looks: Record<Tone, { Icon: typeof Info; box: string; icon: string }> = {
  info: { Icon: Info, box: 'border-line bg-sunken', icon: 'text-secondary' },
  danger: { Icon: CircleAlert, box: 'border-danger/40 bg-danger-soft', icon: 'text-danger' },
}

/** A boxed notice. */
export function Notice({
  tone = 'info',
  title,
  children,
  className,
}: {
  tone?: Tone
  title?: ReactNode
  children: ReactNode
  className?: string
}) {
  const { Icon, box, icon } = looks[tone]
  return (
    <div className={cx('flex items-start gap-2.5 rounded-md border px-3.5 py-2.5', box, className)}>
      <Icon size={16} aria-hidden className={cx('mt-px shrink-0', icon)} />
      <div className="min-w-0 wrap-anywhere">
        {title && <div className="font-[550]">{title}</div>}
        {children}
      </div>
    </div>
  )
}
