import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useTheme } from '#/ui/useTheme.ts'
import { type Drawing, type DrawingLook, type DrawingState, startDrawing } from './drawing.ts'

/** Keeps a drawing in a box, in the colours of the theme. */
export function useDrawing(
  box: RefObject<HTMLElement | null>,
  { id, curve, style, cursor }: DrawingLook,
  state: DrawingState,
): void {
  const drawing = useRef<Drawing>(null)
  const theme = useTheme()
  const labels = state.data.series.map(({ label, range }) => `${label} ${range !== undefined}`).join('\n')
  const start = useEffectEvent((at: HTMLElement) => startDrawing(at, { id, curve, style, cursor }, state))
  useEffect(() => {
    if (!box.current) return
    const made = start(box.current)
    drawing.current = made
    return () => {
      drawing.current = null
      made.end()
    }
  }, [box, theme, labels, id, curve, style, cursor])
  useEffect(() => drawing.current?.update(state))
}
