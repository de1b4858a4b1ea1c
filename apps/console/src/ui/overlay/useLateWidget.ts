import { useCallback, useEffect, useRef } from 'react'
import { afterScroll } from '../layout/afterScroll.ts'
import { type KeyBuffer, bufferKeys } from './keyBuffer.ts'
import { addToast } from '../feedback/toast.ts'

/** How to show a widget once its file is there. */
interface Opening {
  load: () => Promise<unknown>
  show: () => void
  /** The user pressed Escape first, or the file could not be fetched. */
  onCancel?: () => void
}

/** Opens a widget whose file is fetched on demand. Keys pressed until the widget has the focus are replayed in it.
 * A failed fetch is reported; the next opening fetches again. */
export function useLateWidget() {
  const keys = useRef<KeyBuffer>(undefined)
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
      const buffer = (keys.current = bufferKeys(cancel))
      try {
        await Promise.all([load(), afterScroll()])
        if (keys.current === buffer) show()
      } catch {
        if (keys.current !== buffer) return
        cancel()
        addToast({ variant: 'error', ...notLoaded })
      }
    },
    [close],
  )
  return {
    open,
    /** The widget is closed or no longer needed. */
    close,
    /** The widget has the focus. */
    onReady: useCallback(() => void keys.current?.replay(), []),
  }
}

const notLoaded = {
  title: 'Could not load this part of the console',
  content: 'Check the connection and try again. If that does not help, load the page again.',
}
