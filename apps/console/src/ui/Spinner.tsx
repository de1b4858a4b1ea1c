import { cx } from '../lib/text.ts'

/** A turning arc; name it with `label`, or hide it with `label={null}` where the text beside it already speaks. */
export function Spinner({
  size = 14,
  label = 'Spinner',
  className,
}: {
  size?: number
  label?: string | null
  className?: string
}) {
  const names = label === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <svg
      {...names}
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
