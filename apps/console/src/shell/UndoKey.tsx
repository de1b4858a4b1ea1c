import { useSyncExternalStore } from 'react'
import { usePageKey } from '#/resource/pageKeys.ts'
import { removeToast, toastStore, type ToastEntry } from '#/ui/toast.ts'

/** Takes back what was done last while a notification offers it. */
export function UndoKey() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get)
  const last = toasts.findLast(({ action }) => action?.keys)
  return last && <Bound toast={last} />
}

function Bound({ toast: { id, action } }: { toast: ToastEntry }) {
  usePageKey('undo', () => {
    removeToast(id)
    action?.onAction()
  })
  return null
}
