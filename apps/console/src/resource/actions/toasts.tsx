import { Highlight } from '#/ui/value/Highlight.tsx'
import { failure } from '#/api/errors.ts'
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

/** Reports what failed without a dialog. */
export function toastFailure(title: string, error: unknown, more: Partial<ToastInput> = {}): void {
  const { message, ...of } = failure(error)
  addToast({ variant: 'error', title, content: message, ...of, ...more })
}
