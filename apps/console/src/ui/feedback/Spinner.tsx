import { cx } from '#/lib/text.ts'

/** A rotating arc: something is pending. */
export function Spinner({ size = 14, className }: { size?: number; className?: string }) {
  return (
    <svg
      role="img"
      aria-label="Spinner"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      className={cx('shrink-0 animate-spin', className)}
    >
      <circle cx="8" cy="8" r="6.5" opacity="0.25" />
      <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" strokeLinecap="round" />
    </svg>
  )
}
