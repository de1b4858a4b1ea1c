import { Highlight } from '#/ui/value/Highlight.tsx'
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
