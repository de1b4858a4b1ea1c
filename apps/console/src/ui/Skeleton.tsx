import { cx } from '../lib/text.ts'

/** A grey block where something is still to come. Size it with a class. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={cx('inline-block rounded-sm bg-line-faint motion-safe:animate-skeleton', className)}
    />
  )
}
