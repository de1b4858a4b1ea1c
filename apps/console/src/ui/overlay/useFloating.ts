import { type RefObject, useLayoutEffect, useRef } from 'react'
import { floatingPosition, type Placement } from '#/lib/geometry/floatingPosition.ts'

/** Where and when a floating box shows. */
export interface FloatingRequest {
  isOpen: boolean
  anchor: RefObject<HTMLElement | null>
  placement: Placement
  gap: number
  /** Make the box as wide as its anchor. */
  matchWidth?: boolean
}

/**
 * Shows a `popover="manual"` element in the browser's top layer next to its anchor and keeps it there during
 * scrolling. The top layer puts it above every dialog without leaving the dialog's focus scope.
 */
export function useFloating<E extends HTMLElement>({
  isOpen,
  anchor,
  placement,
  gap,
  matchWidth = false,
}: FloatingRequest): RefObject<E | null> {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const box = ref.current
    if (!isOpen || !box || !anchor.current) return
    const move = () => {
      if (!anchor.current) return
      if (matchWidth) box.style.width = `${anchor.current.offsetWidth}px`
      const { left, top } = floatingPosition({
        anchor: anchor.current.getBoundingClientRect(),
        size: { width: box.offsetWidth, height: box.offsetHeight },
        window: { width: document.documentElement.clientWidth, height: window.innerHeight },
        placement,
        gap,
        margin: 16,
      })
      box.style.left = `${left}px`
      box.style.top = `${top}px`
    }
    box.showPopover()
    move()
    // Its own height changes too, while a list in it narrows.
    const observer = new ResizeObserver(move)
    observer.observe(box)
    window.addEventListener('scroll', move, true)
    window.addEventListener('resize', move)
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', move, true)
      window.removeEventListener('resize', move)
      if (box.matches(':popover-open')) box.hidePopover()
    }
  }, [isOpen, anchor, placement, gap, matchWidth])
  return ref
}
