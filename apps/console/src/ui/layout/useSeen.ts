import { type RefObject, useEffect, useRef, useState } from 'react'

/** True from the moment at which the element has come into view. */
export function useSeen<E extends Element>(): { ref: RefObject<E | null>; isSeen: boolean } {
  const ref = useRef<E>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (isSeen || !ref.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [isSeen])
  return { ref, isSeen }
}
