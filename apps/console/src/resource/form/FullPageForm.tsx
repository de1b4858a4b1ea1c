/** A long form on a separate page: buttons, problems and the server's answer stay at the foot of the page. */
import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react'
import { type FieldPath, type FieldValues, useFormState, type UseFormReturn } from 'react-hook-form'
import { Button } from '#/ui/button/Button.tsx'
import { DirtyGuardDialog } from '#/ui/overlay/DirtyGuardDialog.tsx'
import { BottomBar } from '#/ui/frame/BottomBar.tsx'
import { FormRefusal } from '#/ui/form/FormRefusal.tsx'
import { ViewCommand } from '../command/ViewCommand.tsx'
import { useDraft, type DraftName } from './drafts/useDraft.tsx'
import {
  refused,
  requestsIn,
  useSubmit,
  useUnsavedGuard,
  type FieldOf,
  type RequestOf,
} from './ResourceForm.tsx'

export interface FullPageFormProps<V extends FieldValues> {
  /** Made with `shouldFocusError: false`: the order of `fields` decides what gets the focus. */
  form: UseFormReturn<V>
  submitLabel: string
  /** Sends the form. What it throws is shown; the form stays with its values. */
  onSubmit: (values: V) => Promise<unknown>
  fieldOf?: FieldOf<V>
  /** The requests that a submit sends, to be shown as commands; null if it sends none. */
  request: RequestOf<V> | null
  /** Leaves the page, after the guard for unsaved work. */
  onCancel: () => void
  submitDisabledReason?: ReactNode
  /** The name under which drafts of it are kept. */
  draft?: DraftName
  /** The labels of the fields in the list of problems, in the order of the page. */
  fields: Partial<Record<FieldPath<V>, string>>
  /** Shown above the buttons, with its margin below: a likely failure although every field is valid. */
  notice?: ReactNode
  children: ReactNode
}

export function FullPageForm<V extends FieldValues>(props: FullPageFormProps<V>) {
  const { form, submitLabel, onSubmit, request, onCancel, submitDisabledReason, draft, notice, children } =
    props
  const { offer, sending } = useDraft(draft, form)
  const { pending, problem, submit } = useSubmit(form, sending(onSubmit), props.fieldOf)
  const { isDirty } = useFormState({ control: form.control })
  const guard = useUnsavedGuard(isDirty && !pending, onCancel)
  const problems = useProblems(props, pending)
  const keepFocus = useFocusInside(pending)
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    if (pending || submitDisabledReason) return
    keepFocus()
    void submit()
  }
  return (
    // A focused control must not be scrolled behind the bar at the foot. Positioned, because screen-reader-only texts
    // are absolute, and would make the document around the scrolling pane longer than the window.
    <form
      noValidate
      autoComplete="off"
      onSubmit={send}
      className="relative flex grow flex-col **:scroll-my-28"
    >
      <div inert={pending}>
        <div className="max-w-[44rem] [&>:not(:empty)]:mb-5">{offer}</div>
        {children}
      </div>
      <BottomBar>
        {notice}
        <Problems
          problems={problems.filter(({ isRefused }) => !isRefused)}
          onGo={(name) => form.setFocus(name)}
        />
        <div className="flex flex-wrap items-center gap-x-2">
          <Button type="submit" variant="primary" pending={pending} disabledReason={submitDisabledReason}>
            {submitLabel}
          </Button>
          <Button variant="ghost" onClick={guard.dismiss}>
            Cancel
          </Button>
          {request && <ViewCommand requests={requestsIn(form, request)} />}
          <FormRefusal problem={problem} className="ml-2 flex-1 basis-64" />
        </div>
      </BottomBar>
      {guard.asking && (
        <DirtyGuardDialog of="page" isKept={draft !== undefined} onStay={guard.stay} onLeave={guard.leave} />
      )}
    </form>
  )
}

/** While it is sent the form is inert, which takes the focus from a field that was submitted with Enter: it gets it back. */
function useFocusInside(pending: boolean): () => void {
  const focused = useRef<Element | null>(null)
  useEffect(() => {
    const lost = document.activeElement === null || document.activeElement === document.body
    if (!pending && lost && focused.current instanceof HTMLElement)
      focused.current.focus({ preventScroll: true })
  }, [pending])
  return () => (focused.current = document.activeElement)
}

interface Problem<V extends FieldValues> {
  name: FieldPath<V>
  text: string
  /** The server's answer says it, with the link to the field. */
  isRefused: boolean
}

/** The fields that are wrong, first to last. The first gets the focus whenever a submit did not succeed. */
function useProblems<V extends FieldValues>(
  { form, fields }: FullPageFormProps<V>,
  pending: boolean,
): Problem<V>[] {
  const state = useFormState({ control: form.control })
  const problems = (Object.keys(fields) as FieldPath<V>[]).flatMap((name) => {
    const { message, type } = form.getFieldState(name, state).error ?? {}
    const label = fields[name]
    if (!message) return []
    const text = !label || message.startsWith(label) ? message : `${label}: ${message}`
    return [{ name, text, isRefused: type === refused }]
  })
  const first = problems[0]?.name
  useEffect(() => {
    if (!pending && first !== undefined) form.setFocus(first)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a problem solved must not move the focus on
  }, [state.submitCount, pending])
  return problems
}

function Problems<V extends FieldValues>({
  problems,
  onGo,
}: {
  problems: readonly Problem<V>[]
  onGo: (name: FieldPath<V>) => void
}) {
  if (problems.length === 0) return null
  return (
    <ul
      aria-label="Fields to correct"
      className="mb-2.5 flex max-h-20 flex-wrap gap-x-4 gap-y-1 overflow-y-auto"
    >
      {problems.map(({ name, text }) => (
        <li key={name} className="max-w-full">
          <button
            type="button"
            onClick={() => onGo(name)}
            className="text-left text-danger underline decoration-1 underline-offset-2 hover:decoration-2"
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}
