import { useEffect, useRef, useState, type RefObject } from 'react'
import { useFormState, type UseFormReturn } from 'react-hook-form'
import { serverNow } from '#/lib/clock.ts'
import { joinedByAnd, relativeLong } from '#/lib/format.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { focusFirstControl } from '#/ui/overlay/useFirstControl.ts'
import {
  changes,
  differing,
  filledBy,
  findDraft,
  forgetDraft,
  keepDraft,
  leftOutOf,
  type DraftOf,
} from './drafts.ts'

/** Whether the form was sent since it was last changed. */
export type SendState = 'open' | 'sending' | 'sent'

interface OfferedDraftProps {
  of: DraftOf
  /** Only what differs from the present values is kept. */
  isChange: boolean
  form: UseFormReturn
  stateRef: RefObject<SendState>
}

/** Offers the draft of a form that was left, and keeps what is entered. */
export function OfferedDraft({ of, isChange, form, stateRef }: OfferedDraftProps) {
  const [draft, setDraft] = useState(() => {
    const found = findDraft(of)
    return found && changes(form.getValues(), found) ? found : undefined
  })
  const [isFilled, setFilled] = useState(false)
  const [openedAt] = useState(() => new Date(serverNow()))
  const box = useRef<HTMLDivElement>(null)
  const { isDirty } = useFormState({ control: form.control })
  useKeptDraft({ of, isChange, form, stateRef })
  const leftOut = leftOutOf(of.form, form.getValues(), draft)
  const focusForm = () => focusFirstControl(box.current?.closest('form') ?? null)
  const fill = () => {
    if (!draft) return
    form.reset(filledBy(form.getValues(), draft), { keepDefaultValues: true })
    setFilled(true)
    focusForm()
  }
  const discard = () => {
    forgetDraft(of)
    setDraft(undefined)
    focusForm()
  }
  const missing = leftOut.length > 0 && (
    <p>Files and what may be secret are not kept: {joinedByAnd(leftOut)}.</p>
  )
  return (
    <div ref={box} role="status" className="empty:hidden">
      {draft && !isFilled && (
        <Notice title="You have a draft of this form">
          <p>
            You left it {relativeLong(new Date(draft.at), openedAt)}.
            {isDirty && ' Continuing it replaces what you have entered now.'}
          </p>
          {missing}
          <div className="mt-2 flex flex-wrap gap-2">
            <Button size="small" onClick={fill}>
              Continue draft
            </Button>
            <Button size="small" variant="ghost" onClick={discard}>
              Discard
            </Button>
          </div>
        </Notice>
      )}
      {isFilled && missing && <Notice title="The draft is filled in">{missing}</Notice>}
    </div>
  )
}

/** ms without typing after which a form is kept */
const pause = 800

/** Keeps what is entered: after a pause in typing, when the form is left, and when the tab is hidden or closed. */
function useKeptDraft({ of: { form: name, place }, isChange, form, stateRef }: OfferedDraftProps): void {
  useEffect(() => {
    const of = { form: name, place }
    const before = findDraft(of)
    const entered = () => differing(name, form.getValues(), { ...form.formState.defaultValues })
    let timer: number | undefined
    const isChanged = () => Object.keys(entered()).length > 0
    const write = () => {
      if (timer === undefined) return
      window.clearTimeout(timer)
      timer = undefined
      if (stateRef.current !== 'open') return
      if (isChanged()) keepDraft(of, isChange ? entered() : form.getValues())
      else if (before) keepDraft(of, before.values)
      else forgetDraft(of)
    }
    const changed = () => {
      if (stateRef.current === 'sent') stateRef.current = 'open'
      window.clearTimeout(timer)
      timer = window.setTimeout(write, pause)
    }
    // The person may have typed before this was loaded.
    if (isChanged()) changed()
    const unsubscribe = form.subscribe({ formState: { values: true }, callback: changed })
    const hidden = () => document.hidden && write()
    window.addEventListener('pagehide', write)
    document.addEventListener('visibilitychange', hidden)
    return () => {
      unsubscribe()
      window.removeEventListener('pagehide', write)
      document.removeEventListener('visibilitychange', hidden)
      write()
    }
  }, [name, place, isChange, form, stateRef])
}
