import { type RefObject, useEffect, useState } from 'react'

const THROTTLE = 125

/** Whether content lies beyond the left and right edge of a box that scrolls sideways. */
export function useEdges(ref: RefObject<HTMLElement | null>): { left: boolean; right: boolean } {
  const [edges, setEdges] = useState({ left: false, right: false })
  useEffect(() => {
    const box = ref.current
    if (!box) return
    let timer: number | undefined
    const look = () => {
      timer = undefined
      const left = box.scrollLeft > 0
      const right = box.scrollLeft + box.clientWidth < box.scrollWidth - 1
      setEdges((now) => (now.left === left && now.right === right ? now : { left, right }))
    }
    const lookSoon = () => {
      timer ??= window.setTimeout(look, THROTTLE)
    }
    // The observer first reports after layout; measuring here would force an early layout.
    const observer = new ResizeObserver(look)
    for (const one of [box, ...box.children]) observer.observe(one)
    box.addEventListener('scroll', lookSoon, { passive: true })
    return () => {
      window.clearTimeout(timer)
      observer.disconnect()
      box.removeEventListener('scroll', lookSoon)
    }
  }, [ref])
  return edges
}
