import { useEffect, useState } from 'react'

const pauseMs = 60

/** The typed text, after a pause in typing. The first letter is returned without a pause. */
export function useDebounced(text: string): string {
  const trimmed = text.trim()
  const [debounced, setDebounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(trimmed), debounced === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only typing asks again
  }, [trimmed])
  return debounced
}
