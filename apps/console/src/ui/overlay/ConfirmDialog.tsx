import { type SubmitEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '../button/Button.tsx'
import { FormRefusal, type RefusedForm } from '../form/FormRefusal.tsx'
import { TextField } from '../field/TextField.tsx'
import { Modal, ModalSection } from './Modal.tsx'

/** Asks before something is done. A failure is shown inside and leaves the dialog open. */
export interface ConfirmDialogProps {
  title: string
  children: ReactNode
  /** The act, as its button says it: 'Delete 3 disks'. */
  confirmLabel: string
  danger?: boolean
  /** Why it cannot be done. */
  disabledReason?: string | undefined
  pending?: boolean
  problem?: RefusedForm | undefined
  /** At the left of the buttons. */
  left?: ReactNode
  /** The person must type this name before the action can be confirmed. */
  typeToConfirm?: string
  onConfirm: () => void
  onDismiss: () => void
}

export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  danger = false,
  disabledReason,
  pending = false,
  problem,
  left,
  typeToConfirm,
  onConfirm,
  onDismiss,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('')
  const formId = useId()
  const reason =
    disabledReason ??
    (typeToConfirm === undefined || typed === typeToConfirm ? undefined : 'Type the name to confirm')
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    if (reason === undefined && !pending) onConfirm()
  }
  const footer = (
    <>
      {left && <span className="mr-auto">{left}</span>}
      <Button onClick={onDismiss}>Cancel</Button>
      <Button
        type="submit"
        form={formId}
        variant={danger ? 'danger' : 'primary'}
        pending={pending}
        disabledReason={reason}
      >
        {confirmLabel}
      </Button>
    </>
  )
  return (
    <Modal
      title={title}
      width="medium"
      role="alertdialog"
      onDismiss={onDismiss}
      refusal={<FormRefusal problem={problem} />}
      footer={footer}
    >
      <ModalSection>
        <form id={formId} noValidate onSubmit={submit}>
          <div className="space-y-2">{children}</div>
          {typeToConfirm !== undefined && (
            <TextField
              label={`Type ${typeToConfirm} to confirm`}
              value={typed}
              onChange={setTyped}
              required
              mono
              className="mt-3.5"
            />
          )}
        </form>
      </ModalSection>
    </Modal>
  )
}
