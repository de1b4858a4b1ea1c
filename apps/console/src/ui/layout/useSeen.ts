import { type RefObject, useEffect, useRef, useState } from 'react'

/** True from the moment at which the element has come into view; if that is followed, until it leaves it. */
export function useSeen<E extends Element>({ isFollowed = false } = {}): {
  ref: RefObject<E | null>
  isSeen: boolean
} {
  const ref = useRef<E>(null)
  const [isSeen, setSeen] = useState(false)
  const isDone = isSeen && !isFollowed
  useEffect(() => {
    if (isDone || !ref.current) return
    const observer = new IntersectionObserver((entries) => {
      const isNow = entries.at(-1)?.isIntersecting === true
      if (isNow || isFollowed) setSeen(isNow)
    })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [isDone, isFollowed])
  return { ref, isSeen }
}
