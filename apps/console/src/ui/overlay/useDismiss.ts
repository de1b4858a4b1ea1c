import { type RefObject, useEffect } from 'react'

/** Calls `onDismiss` on a press outside all the elements given, and on Escape, which then goes no further. */
export function useDismiss(
  isOpen: boolean,
  inside: readonly RefObject<HTMLElement | null>[],
  onDismiss: (by: 'press' | 'escape') => void,
): void {
  useEffect(() => {
    if (!isOpen) return
    const onPress = (event: PointerEvent) => {
      const { target } = event
      const isInside = target instanceof Node && inside.some((ref) => ref.current?.contains(target))
      if (!isInside) onDismiss('press')
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      onDismiss('escape')
    }
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('keydown', onKey, true)
    }
  })
}
