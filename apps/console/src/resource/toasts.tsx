import { Highlight } from '#/ui/Highlight.tsx'
import { addToast, type ToastInput } from '#/ui/toast.ts'

/** The toast after an action on a resource: 'Disk NAME deleted'. */
export const doneToast = (noun: string, name: string, done: string): ToastInput => ({
  content: (
    <>
      {noun} <Highlight>{name}</Highlight> {done}
    </>
  ),
})

/** Shows it. */
export const showDoneToast = (noun: string, name: string, done: string): number =>
  addToast(doneToast(noun, name, done))
