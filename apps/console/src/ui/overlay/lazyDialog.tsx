import { type ComponentType, useEffect } from 'react'
import { lazily } from '#/lib/lazily.tsx'
import { keepKeys } from './keptKeys.ts'

/** A dialog that is loaded when it is first opened. Keys pressed until then are kept for it. */
export const lazyDialog = <K extends string, P extends object>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
): ComponentType<P> => lazily(load, name, <KeysAreKept />)

/** Keeps keys while it is shown, and presses them again in the dialog that takes its place, if there is one. */
function KeysAreKept() {
  useEffect(() => {
    const kept = keepKeys()
    const pass = () =>
      document.activeElement?.closest('[role=dialog], [role=alertdialog]') ? void kept.replay() : kept.drop()
    return () => void window.setTimeout(pass)
  }, [])
  return null
}
