import { type RefObject, useEffect } from 'react'

/** Calls `onDismiss` on a press outside all the elements given. */
export function usePressOutside(
  isOpen: boolean,
  inside: readonly RefObject<HTMLElement | null>[],
  onDismiss: () => void,
): void {
  useEffect(() => {
    if (!isOpen) return
    const onPress = (event: PointerEvent) => {
      const target = event.target as Node
      if (!inside.some((ref) => ref.current?.contains(target))) onDismiss()
    }
    document.addEventListener('pointerdown', onPress, true)
    return () => document.removeEventListener('pointerdown', onPress, true)
  })
}
