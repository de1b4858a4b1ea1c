import { type RefObject, useEffect, useState } from 'react'

/** Whether the pointer or the focus is inside an element. `change` is anything that alters its content: what is
 * removed under the pointer or focus leaves without an event, so it is checked again. */
export function useReading(ref: RefObject<HTMLElement | null>, change: unknown): boolean {
  const [isReading, setReading] = useState(false)
  useEffect(() => {
    const box = ref.current
    if (!box) return
    const look = () => setReading(box.matches(':hover') || box.contains(document.activeElement))
    // After the event, when the pointer and focus have moved.
    let timer = window.setTimeout(look, 0)
    const lookSoon = () => {
      window.clearTimeout(timer)
      timer = window.setTimeout(look, 0)
    }
    const events = ['pointerover', 'pointerout', 'focusin', 'focusout']
    for (const name of events) box.addEventListener(name, lookSoon)
    return () => {
      window.clearTimeout(timer)
      for (const name of events) box.removeEventListener(name, lookSoon)
    }
  }, [ref, change])
  return isReading
}
