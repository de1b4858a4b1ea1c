import { cx } from '#/lib/text.ts'

/** A grey block in place of content that is still loading. Size it with a class. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={cx('inline-block rounded-sm bg-line-faint motion-safe:animate-skeleton', className)}
    />
  )
}
