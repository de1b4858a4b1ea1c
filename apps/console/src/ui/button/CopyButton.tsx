import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useRef } from 'react'
import { cx } from '#/lib/text.ts'
import { IconButton } from './IconButton.tsx'
import { useCopy } from './useCopy.ts'
import { useFloating } from '../overlay/useFloating.ts'

// The clipboard is not available, so the text is shown to be copied by hand.
function ManualCopy({
  text,
  anchor,
  onClose,
}: {
  text: string
  anchor: React.RefObject<HTMLElement | null>
  onClose: () => void
}) {
  const box = useFloating<HTMLSpanElement>({ isOpen: true, anchor, placement: 'bottom', gap: 6 })
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus({ preventScroll: true }), [])
  return (
    <span
      ref={box}
      popover="manual"
      role="alert"
      className="floating-box w-72 px-3 py-2.5 font-sans text-hint whitespace-normal"
    >
      <span className="mb-1.5 block text-secondary">
        The clipboard is not available. Copy the text by hand.
      </span>
      <input
        readOnly
        ref={input}
        aria-label="Text to copy"
        value={text}
        className="control-box mono px-2"
        onFocus={(event) => event.currentTarget.select()}
        onBlur={onClose}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onClose()
        }}
      />
    </span>
  )
}

/** A 20 px button named 'Click to copy', then 'Copied' for two seconds. If the clipboard refuses, the text is shown to be copied by hand. */
export function CopyButton({
  text,
  label = 'Click to copy',
  className,
}: {
  text: string
  label?: string
  className?: string
}) {
  const { state, copy, reset } = useCopy()
  const anchor = useRef<HTMLSpanElement>(null)
  const close = () => {
    reset()
    anchor.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  return (
    <span ref={anchor} className={cx('inline-flex', className)}>
      <IconButton
        label={state === 'copied' ? 'Copied' : label}
        size="tiny"
        onClick={() => void copy(text)}
        className={cx(state === 'copied' && 'text-accent-text')}
      >
        {state === 'copied' ? <Check size={13} /> : <Copy size={13} />}
      </IconButton>
      <span role="status" className="sr-only">
        {state === 'copied' && 'Text copied'}
      </span>
      {state === 'failed' && <ManualCopy text={text} anchor={anchor} onClose={close} />}
    </span>
  )
}
