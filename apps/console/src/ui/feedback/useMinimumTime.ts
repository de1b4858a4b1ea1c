import { useEffect, useRef, useState } from 'react'

/** Keeps a true value for at least `ms`, so that a spinner does not flicker. */
export function useMinimumTime(isActive: boolean, ms: number): boolean {
  const [isHeld, setHeld] = useState(isActive)
  const since = useRef(0)
  if (isActive && !isHeld) setHeld(true)
  useEffect(() => {
    if (isActive) {
      since.current = performance.now()
      return
    }
    const left = Math.max(0, since.current + ms - performance.now())
    const timer = window.setTimeout(() => setHeld(false), left)
    return () => window.clearTimeout(timer)
  }, [isActive, ms])
  return isActive || isHeld
}
