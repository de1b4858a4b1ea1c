/** Undo: the toast of an action offers to reverse it. */
import type { ReactNode } from 'react'
import { addToast, removeToast, toastStore, type ToastInput } from '#/ui/feedback/toast.ts'
import { bindPageKey, keyText } from '../list/pageKeys.ts'
import { doneText, doneToast, toastFailure } from './toasts.tsx'

/** The inverse of an action that has been done. */
export interface Undo {
  /** Takes the action back if what it left is still there. Throws what the server or the check says. */
  run: () => Promise<unknown>
  /** The message once the action is reversed. */
  undone: ReactNode
}

/** ms; a user who notices a mistake has read the toast first. */
const undoTime = 10_000

/** The toast of an action that can be reversed. `undo` reports its own result. */
export function withUndo(toast: ToastInput, undo: () => unknown): ToastInput {
  if (!isFollowing) toastStore.subscribe(followToasts)
  isFollowing = true
  return {
    ...toast,
    timeout: undoTime,
    action: { text: 'Undo', onAction: () => void undo(), keys: keyText('undo') },
  }
}

let isFollowing = false
let unbind: (() => void) | undefined

/** The keys take back what the last notification offers. */
function followToasts(): void {
  unbind?.()
  const last = toastStore.get().findLast(({ action }) => action?.keys)
  unbind =
    last &&
    bindPageKey('undo', () => {
      removeToast(last.id)
      last.action?.onAction()
    })
}

/** The same for an action with an inverse: says when that is done, or why it is not. */
export const undoable = (toast: ToastInput, { run, undone }: Undo): ToastInput =>
  withUndo(toast, async () => {
    try {
      await run()
      addToast({ title: 'Undone', content: undone })
    } catch (error) {
      toastFailure('Could not undo', error)
    }
  })

/**
 * The message after an action on a resource, and after its reversal. Both follow the name: 'detached', 'attached
 * again'.
 */
export interface DoneAndUndone {
  noun: string
  name: string
  done: string
  undone: string
}

/** The toast after an action on a resource that can be taken back. */
export const undoableToast = (of: DoneAndUndone, run: Undo['run']): ToastInput =>
  undoable(doneToast(of.noun, of.name, of.done), { run, undone: doneText(of.noun, of.name, of.undone) })
