import { Highlight } from '#/ui/value/Highlight.tsx'
import { failure, type Failure } from '#/api/errors.ts'
import { addToast, type ToastInput } from '#/ui/feedback/toast.ts'

/** 'Disk NAME deleted' */
export const doneText = (noun: string, name: string, done: string) => (
  <>
    {noun} <Highlight>{name}</Highlight> {done}
  </>
)

/** The toast after an action on a resource. */
export const doneToast = (noun: string, name: string, done: string): ToastInput => ({
  content: doneText(noun, name, done),
})

/** Shows it. */
export const showDoneToast = (noun: string, name: string, done: string): number =>
  addToast(doneToast(noun, name, done))

/** Shows a failure: its sentence, the id of the call to copy, and the link to its heading in the guide. */
export function addFailure(toast: ToastInput, { message, requestId, code }: Failure): void {
  addToast({ variant: 'error', content: message, requestId, code, ...toast })
}

/** Reports what failed without a dialog. */
export const toastFailure = (title: string, error: unknown, more: ToastInput = {}): void =>
  addFailure({ title, ...more }, failure(error))
