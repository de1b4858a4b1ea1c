import { type ComponentType, useEffect } from 'react'
import { lazily } from '#/lib/lazily.tsx'
import { bufferKeys } from './keyBuffer.ts'

/** A dialog that is loaded when it is first opened. Keys pressed before it is open are replayed in it. */
export const lazyDialog = <K extends string, P extends object>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
): ComponentType<P> => lazily(load, name, <BufferKeys />)

/** Buffers keys until the dialog opens, then replays them in it. Drops them if no dialog opens. */
function BufferKeys() {
  useEffect(() => {
    const buffer = bufferKeys()
    const pass = () =>
      document.activeElement?.closest('[role=dialog], [role=alertdialog]')
        ? void buffer.replay()
        : buffer.drop()
    return () => void window.setTimeout(pass)
  }, [])
  return null
}
