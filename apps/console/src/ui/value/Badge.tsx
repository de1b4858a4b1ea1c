import type { ReactNode } from 'react'
import { cx } from '#/lib/text.ts'

/**
 * Status tones carry status and nothing else; neutral and accent are for plain labels. `note` marks what is being
 * moved or repaired, `warn` what will soon be wrong or takes no full effect.
 */
export type BadgeTone = 'ok' | 'busy' | 'warn' | 'danger' | 'idle' | 'note' | 'neutral' | 'accent'

const tones: Record<BadgeTone, string> = {
  ok: 'bg-ok-soft text-ok',
  busy: 'bg-busy-soft text-busy',
  warn: 'bg-busy-soft text-busy',
  danger: 'bg-danger-soft text-danger',
  idle: 'bg-idle-soft text-idle',
  note: 'bg-note-soft text-note',
  neutral: 'text-secondary shadow-[inset_0_0_0_1px_var(--line)]',
  accent: 'bg-accent-soft text-accent-text',
}

/** A word in monospace with a tone. A dot marks a state; `pulsing` (by default for busy) marks one that is changing. */
export function Badge({
  tone = 'neutral',
  dot = false,
  pulsing = tone === 'busy',
  children,
  className,
}: {
  tone?: BadgeTone
  dot?: boolean
  pulsing?: boolean
  children: ReactNode
  className?: string
}) {
  return (
    <span
      className={cx(
        'inline-flex h-[21px] shrink-0 items-center gap-1.5 rounded-sm px-2 font-mono text-xs leading-none font-medium tracking-[0.02em] whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {dot && (
        <i className={cx('status-dot size-1.5 rounded-full bg-current', pulsing && 'animate-pulse-dot')} />
      )}
      {children}
    </span>
  )
}
