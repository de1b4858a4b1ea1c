import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import X from 'lucide-react/icons/x'
import { useEffect, useRef } from 'react'
import { useStore } from '#/lib/store.ts'
import { lazily } from '#/lib/lazily.tsx'
import { cx, shorten } from '#/lib/text.ts'
import { IconButton } from '../button/IconButton.tsx'
import { Kbd } from '../value/Kbd.tsx'
import { UiLink } from '../button/link.tsx'
import { useReading } from '../layout/useReading.ts'
import { removeToast, type ToastEntry, toastStore, type ToastVariant } from './toast.ts'

// Only failures have one; it is shown with a copy button.
const RequestId = lazily(() => import('./RequestId.tsx'), 'RequestId')

const looks: Record<
  ToastVariant,
  { Icon: typeof Info; edge: string; ink: string; title: string | undefined }
> = {
  success: { Icon: CircleCheck, edge: 'border-l-ok', ink: 'text-ok', title: undefined },
  error: { Icon: CircleAlert, edge: 'border-l-danger', ink: 'text-danger', title: 'Error' },
  info: { Icon: Info, edge: 'border-l-accent', ink: 'text-accent-text', title: 'Note' },
  notice: { Icon: TriangleAlert, edge: 'border-l-busy', ink: 'text-busy', title: 'Note' },
}

// Counts down only while the user is not reading: the remaining time is kept over every pause.
function useCountdown({ id, timeout }: ToastEntry, isPaused: boolean) {
  const left = useRef(timeout)
  useEffect(() => {
    if (left.current === null || isPaused) return
    const started = performance.now()
    const timer = window.setTimeout(() => removeToast(id), left.current)
    return () => {
      window.clearTimeout(timer)
      left.current = Math.max(1000, (left.current ?? 0) - (performance.now() - started))
    }
  }, [id, isPaused])
}

interface ToastProps {
  toast: ToastEntry
  order: number
  isPaused: boolean
  /** For a failure without a link. */
  more: ToastEntry['action']
}

/** At most three lines of text, whatever there is to say, and a line of links. */
function Toast({ toast, order, isPaused, more }: ToastProps) {
  useCountdown(toast, isPaused)
  const { action = toast.variant === 'error' ? more : undefined } = toast
  const { Icon, edge, ink, title } = looks[toast.variant]
  const heading = toast.title ?? (title || (toast.content ? undefined : 'Success'))
  return (
    <div
      style={{ order }}
      className={cx(
        'floating-box pointer-events-auto flex w-96 max-w-[calc(100vw-2rem)] items-start gap-2.5 border-l-[3px] py-[11px] pr-2 pl-3.5 animate-rise',
        edge,
      )}
    >
      <Icon size={16} className={cx('mt-px shrink-0', ink)} />
      <div className="min-w-0 grow">
        {heading && (
          <div className={cx('font-[550] wrap-anywhere', lines(toast.content ? 1 : 3))}>{heading}</div>
        )}
        {toast.content && (
          <div className={cx('wrap-anywhere text-secondary', lines(heading ? 2 : 3))}>{toast.content}</div>
        )}
        {toast.requestId && <RequestId id={toast.requestId} code={toast.code} className="mt-1" />}
        <div className="mt-1 flex gap-x-4 whitespace-nowrap empty:hidden">
          {toast.cta && (
            <UiLink href={toast.cta.href} onClick={() => removeToast(toast.id)} className={linkClass}>
              {shorten(toast.cta.text, 36)}
            </UiLink>
          )}
          {action && <ToastAction id={toast.id} action={action} />}
        </div>
      </div>
      <IconButton label="Dismiss notification" size="tiny" onClick={() => removeToast(toast.id)}>
        <X size={14} />
      </IconButton>
    </div>
  )
}

const linkClass = 'text-accent-text underline underline-offset-2'
const lines = (most: 1 | 2 | 3) => ({ 1: 'line-clamp-1', 2: 'line-clamp-2', 3: 'line-clamp-3' })[most]

function ToastAction({ id, action }: { id: number; action: NonNullable<ToastEntry['action']> }) {
  const act = () => {
    removeToast(id)
    action.onAction()
  }
  return (
    <button
      type="button"
      aria-keyshortcuts={action.keys}
      onClick={act}
      className="flex items-center gap-2 text-accent-text"
    >
      <span className="underline underline-offset-2">{action.text}</span>
      {action.keys && (
        <span aria-hidden>
          <Kbd>{action.keys}</Kbd>
        </span>
      )}
    </button>
  )
}

/**
 * The stack of toasts at the bottom left; put it once around the pages. Hover or focus pauses the countdown. `more` leads to
 * where failures can be read in full.
 */
export function ToastStack({ more }: { more?: ToastEntry['action'] }) {
  const toasts = useStore(toastStore)
  const box = useRef<HTMLDivElement>(null)
  const isPaused = useReading(box, toasts)
  const show = (isError: boolean) =>
    toasts.map(
      (toast, i) =>
        (toast.variant === 'error') === isError && (
          <Toast key={toast.id} toast={toast} order={i} isPaused={isPaused} more={more} />
        ),
    )
  return (
    <div
      ref={box}
      data-testid="Toasts"
      role="region"
      aria-label="Notifications"
      data-react-aria-top-layer="true"
      className="pointer-events-none fixed bottom-[72px] left-4 z-50 flex flex-col gap-2"
    >
      <div role="status" aria-live="polite" className="contents">
        {show(false)}
      </div>
      <div role="alert" aria-live="assertive" className="contents">
        {show(true)}
      </div>
    </div>
  )
}
