/** A form in a side modal: submit, the server's refusal at the foot with a link to its field, and the guard for unsaved work. */
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { failure, takenName } from '#/api/errors.ts'
import type { Requests, ShownRequest } from '#/api/request.ts'
import { holdUnsaved } from '#/api/session.ts'
import { DirtyGuardDialog } from '#/ui/overlay/DirtyGuardDialog.tsx'
import { FormFooter } from '#/ui/form/FormFooter.tsx'
import { FormRefusal, type RefusedForm } from '#/ui/form/FormRefusal.tsx'
import { shownFields } from '#/ui/form/shownFields.ts'
import { SideModal, type SideModalProps } from '#/ui/overlay/SideModal.tsx'
import { labelOf } from '#/lib/text.ts'
import { focusFirstControl } from '#/ui/overlay/useFirstControl.ts'
import type { MakeRequests } from '../command/commands.ts'
import { ViewCommand } from '../command/ViewCommand.tsx'
import { useDraft, type DraftName } from './drafts/useDraft.tsx'
import { refusedField } from './refusal/refusedField.ts'

export interface ResourceFormProps<V extends FieldValues> {
  title: string
  /** The submit button; the title unless given. */
  submitLabel?: string
  resource?: SideModalProps['resource']
  form: UseFormReturn<V>
  /** Sends the form. What it throws is shown; the form stays open with its values. */
  onSubmit: (values: V) => Promise<unknown>
  /** The requests that a submit sends, to be shown as commands; null if it sends none. */
  request: RequestOf<V> | null
  /** Closes the form: usually back to the list. Called on dismissal, never after a submit. */
  onDismiss: () => void
  submitDisabledReason?: ReactNode
  /** The name under which drafts of it are kept. */
  draft?: DraftName | undefined
  animate?: boolean
  /** The effect of the form as it is filled. */
  aside?: SideModalProps['aside']
  children: ReactNode
}

/** The requests of a filled form. */
export type RequestOf<V> = (values: V) => Requests | Promise<Requests>

export function ResourceForm<V extends FieldValues>(props: ResourceFormProps<V>) {
  const {
    title,
    submitLabel = title,
    resource,
    form,
    onSubmit,
    request,
    onDismiss,
    submitDisabledReason,
    draft,
    animate = false,
    aside,
    children,
  } = props
  const { offer, sending } = useDraft(draft, form)
  const { pending, problem, submit } = useSubmit(form, sending(onSubmit))
  const dirty = form.formState.isDirty && !pending
  const guard = useUnsavedGuard(dirty, onDismiss)
  return (
    <>
      <SideModal
        title={title}
        resource={resource}
        animate={animate}
        aside={aside}
        refusal={<FormRefusal problem={problem} />}
        onDismiss={guard.dismiss}
        onSubmit={() => void submit()}
        footer={
          <FormFooter
            submitLabel={submitLabel}
            pending={pending}
            disabledReason={submitDisabledReason}
            left={request && <ViewCommand requests={requestsIn(form, request)} />}
            onCancel={guard.dismiss}
          />
        }
      >
        {offer}
        {children}
      </SideModal>
      {guard.asking && (
        <DirtyGuardDialog
          of="form"
          isKept={draft !== undefined}
          onStay={() => keepEditing(guard.stay)}
          onLeave={guard.leave}
        />
      )}
    </>
  )
}

/** Makes the requests of a form once its fields are valid; their errors are shown otherwise. */
export const requestsIn =
  <V extends FieldValues>(form: UseFormReturn<V>, request: RequestOf<V>): MakeRequests =>
  async () => {
    let made: readonly ShownRequest[] | undefined
    await form.handleSubmit(async (values) => {
      made = [await request(values)].flat()
    })()
    return made
  }

/** Moves the focus back into the form, because after a press outside there is no focused element to restore. */
function keepEditing(stay: () => void): void {
  stay()
  const refocus = () => {
    const body = document.querySelector<HTMLElement>('[data-testid="sidemodal-scroll-container"]')
    if (body && !body.closest('[role="dialog"]')?.contains(document.activeElement)) focusFirstControl(body)
  }
  // The closing dialog restores the focus in the next frame, if it can.
  requestAnimationFrame(() => requestAnimationFrame(refocus))
}

/** The field that a refusal is about, where a form knows better than the table of all forms. */
export type FieldOf<V extends FieldValues> = (error: unknown, values: V) => FieldPath<V> | undefined

/** The type of the mark at a field that the foot of the form speaks of too. */
export const refused = 'refused'

/** Submits a form once at a time. A taken name is also marked at the field called `name`, which gets the focus. */
export function useSubmit<V extends FieldValues>(
  form: UseFormReturn<V>,
  onSubmit: (values: V) => Promise<unknown>,
  fieldOf?: FieldOf<V>,
) {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<RefusedForm>()
  const isSubmitting = useRef(false)
  const send = form.handleSubmit(async (values) => {
    setProblem(undefined)
    // Kept during the request too: if the session ends now, the user must not lose the form.
    const release = holdUnsaved()
    try {
      await onSubmit(values)
    } catch (error) {
      setProblem({ ...failure(error), field: fieldIn(form, error, fieldOf?.(error, values)) })
      const name = 'name' as FieldPath<V>
      if (takenName(error)?.isOwn && 'name' in values)
        form.setError(name, { type: refused, message: 'Name already exists' }, { shouldFocus: true })
    } finally {
      release()
    }
  })
  // Pending from the start: rules that take time are checked before anything is sent.
  const submit = async () => {
    if (isSubmitting.current) return
    isSubmitting.current = true
    setPending(true)
    await send().finally(() => {
      isSubmitting.current = false
      setPending(false)
    })
  }
  return { pending, problem, submit }
}

/** The field of the form that an error is about, to go to it. */
function fieldIn<V extends FieldValues>(
  form: UseFormReturn<V>,
  error: unknown,
  known: FieldPath<V> | undefined,
): RefusedForm['field'] {
  const labels = shownFields(form.control)
  const values = () => new Map([...labels.keys()].map((name) => [name, form.getValues(name as FieldPath<V>)]))
  const name = known ?? (refusedField(error, values()) as FieldPath<V> | undefined)
  return name && { label: labels.get(name) ?? labelOf(name), onGo: () => form.setFocus(name) }
}

/**
 * Guards unsaved work: dismissal, in-app navigation, browser back, reload and closing the tab all ask
 * first. `leave` of a dismissal runs `onDismiss`.
 */
export function useUnsavedGuard(dirty: boolean, onDismiss: () => void) {
  const [dismissing, setDismissing] = useState(false)
  const leaving = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: () => dirty && !leaving.current,
    enableBeforeUnload: () => dirty && !leaving.current,
    withResolver: true,
  })
  useEffect(() => (dirty ? holdUnsaved() : undefined), [dirty])
  const blocked = blocker.status === 'blocked'
  return {
    asking: dismissing || blocked,
    dismiss: () => (dirty ? setDismissing(true) : onDismiss()),
    stay: () => {
      setDismissing(false)
      if (blocker.status === 'blocked') blocker.reset()
    },
    leave: () => {
      leaving.current = true
      if (blocker.status === 'blocked') blocker.proceed()
      else onDismiss()
    },
  }
}
