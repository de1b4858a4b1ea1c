import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { Button } from '../button/Button.tsx'

/** The buttons of a form: 'Cancel' and its submit button, the word 'Error' or other content at the left. */
export function FormFooter({
  submitLabel,
  pending = false,
  disabledReason,
  danger = false,
  failed = false,
  left,
  onCancel,
}: {
  submitLabel: string
  pending?: boolean
  disabledReason?: ReactNode
  danger?: boolean
  failed?: boolean
  left?: ReactNode
  onCancel: () => void
}) {
  return (
    <>
      <span className="mr-auto flex items-center gap-3">
        {left}
        {failed && (
          <span className="flex items-center gap-1.5 text-danger">
            <CircleAlert size={14} /> Error
          </span>
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
