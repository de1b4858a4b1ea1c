import { cx } from '#/lib/text.ts'

/** A key of the keyboard. */
export function Kbd({ children, className }: { children: string; className?: string }) {
  return (
    <kbd
      className={cx(
        'rounded-sm border border-b-2 border-line px-1 py-0.5 font-mono text-[10.5px] leading-none font-medium text-secondary',
        className,
      )}
    >
      {children}
    </kbd>
  )
}
