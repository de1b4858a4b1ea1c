import type { ReactNode } from 'react'
import { Button } from '../button/Button.tsx'

/** The buttons of a form: 'Cancel' and its submit button, other content at the left. */
export function FormFooter({
  submitLabel,
  pending = false,
  disabledReason,
  danger = false,
  left,
  onCancel,
}: {
  submitLabel: string
  pending?: boolean
  disabledReason?: ReactNode
  danger?: boolean
  left?: ReactNode
  onCancel: () => void
}) {
  return (
    <>
      <span className="mr-auto flex items-center gap-3">{left}</span>
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
