import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { Button } from '../button/Button.tsx'

/** The buttons of a form: 'Cancel' and its submit button; at the left the error of the last submit, or other content. */
export function FormFooter({
  submitLabel,
  pending = false,
  disabledReason,
  danger = false,
  error,
  onError,
  left,
  onCancel,
}: {
  submitLabel: string
  pending?: boolean
  disabledReason?: ReactNode
  danger?: boolean
  /** Why the last submit failed. */
  error?: string | undefined
  /** Shows the place that the error is about. */
  onError?: () => void
  left?: ReactNode
  onCancel: () => void
}) {
  return (
    <>
      <span className="mr-auto flex min-w-0 items-center gap-3">
        {left}
        {error !== undefined && (
          <button
            type="button"
            onClick={onError}
            className="flex items-start gap-1.5 text-left text-danger underline decoration-1 underline-offset-2 hover:decoration-2"
          >
            <CircleAlert aria-hidden size={14} className="mt-[3px] shrink-0" />
            <span className="line-clamp-2 wrap-anywhere">{error}</span>
          </button>
        )}
      </span>
      <Button variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        type="submit"
        variant={danger ? 'danger' : 'primary'}
        pending={pending}
        disabledReason={disabledReason}
      >
        {submitLabel}
      </Button>
    </>
  )
}
