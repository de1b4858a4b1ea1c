/** A form in a centred dialog: the server's errors stay inside, and the dialog stays open. */
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { holdUnsaved } from '#/api/session.ts'
import { Button } from '#/ui/button/Button.tsx'
import { FormRefusal } from '#/ui/form/FormRefusal.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'
import { useFirstControl } from '#/ui/overlay/useFirstControl.ts'
import { ViewCommand } from '../command/ViewCommand.tsx'
import { useDraft, type DraftName } from './drafts/useDraft.tsx'
import { requestsIn, useSubmit, type RequestOf } from './ResourceForm.tsx'

export interface ModalFormProps<V extends FieldValues> {
  title: string
  submitLabel: string
  form: UseFormReturn<V>
  /** Sends the form. What it throws is shown; the dialog stays open with its values. */
  onSubmit: (values: V) => Promise<unknown>
  /** The requests that a submit sends, to be shown as commands; null if it sends none. */
  request: RequestOf<V> | null
  onDismiss: () => void
  submitDisabledReason?: ReactNode
  /** The name under which drafts of it are kept, if it has several fields. */
  draft?: DraftName | undefined
  /** The fields; they may send the form where one choice is all it asks for. */
  children: ReactNode | ((send: () => void) => ReactNode)
}

export function ModalForm<V extends FieldValues>(props: ModalFormProps<V>) {
  const { title, submitLabel, form, onSubmit, request, onDismiss, submitDisabledReason, draft, children } =
    props
  const { offer, sending } = useDraft(draft, form)
  const { pending, problem, submit } = useSubmit(form, sending(onSubmit))
  const { isDirty } = form.formState
  useEffect(() => (isDirty ? holdUnsaved() : undefined), [isDirty])
  const id = useId()
  const fields = useRef<HTMLDivElement>(null)
  useFirstControl(fields)
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    // The dialog may be inside another form, which must not get this event.
    event.stopPropagation()
    if (!pending && !submitDisabledReason) void submit()
  }
  const footer = (
    <>
      {request && (
        <span className="mr-auto">
          <ViewCommand requests={requestsIn(form, request)} />
        </span>
      )}
      <Button onClick={onDismiss}>Cancel</Button>
      <Button
        type="submit"
        form={id}
        variant="primary"
        pending={pending}
        disabledReason={submitDisabledReason}
      >
        {submitLabel}
      </Button>
    </>
  )
  return (
    <Modal title={title} onDismiss={onDismiss} refusal={<FormRefusal problem={problem} />} footer={footer}>
      <ModalSection className="text-ink">
        <form id={id} noValidate autoComplete="off" onSubmit={send} className="text-sm">
          {offer && <div className="[&>:not(:empty)]:mb-4">{offer}</div>}
          <div ref={fields} className="flex flex-col gap-4">
            {typeof children === 'function' ? children(() => void submit()) : children}
          </div>
        </form>
      </ModalSection>
    </Modal>
  )
}
