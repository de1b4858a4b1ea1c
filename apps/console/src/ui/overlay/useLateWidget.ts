import { useCallback, useEffect, useRef } from 'react'
import { afterScroll } from '../layout/afterScroll.ts'
import { type KeptKeys, keepKeys } from './keptKeys.ts'
import { addToast } from '../feedback/toast.ts'

/** How to show a widget once its file is there. */
interface Opening {
  load: () => Promise<unknown>
  show: () => void
  /** Escape was pressed first, or the file did not come. */
  onCancel?: () => void
}

/** Opens a widget whose file is fetched on demand. Keys pressed from then until the widget has the focus are kept for
 * it. A file that does not come is reported; the next opening asks for it again. */
export function useLateWidget() {
  const keys = useRef<KeptKeys>(undefined)
  const close = useCallback(() => {
    keys.current?.drop()
    keys.current = undefined
  }, [])
  useEffect(() => close, [close])
  const open = useCallback(
    async ({ load, show, onCancel }: Opening) => {
      if (keys.current) return
      const cancel = () => {
        close()
        onCancel?.()
      }
      const kept = (keys.current = keepKeys(cancel))
      try {
        await Promise.all([load(), afterScroll()])
        if (keys.current === kept) show()
      } catch {
        if (keys.current !== kept) return
        cancel()
        addToast({ variant: 'error', ...notLoaded })
      }
    },
    [close],
  )
  return {
    open,
    /** The widget is closed, or not wanted any more. */
    close,
    /** The widget has the focus. */
    onReady: useCallback(() => void keys.current?.replay(), []),
  }
}

const notLoaded = {
  title: 'Could not load this part of the console',
  content: 'Check the connection and try again. If that does not help, load the page again.',
}
