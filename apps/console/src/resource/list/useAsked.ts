import { useEffect, useState } from 'react'

const pauseMs = 60

/** What is typed, once there is a pause in it: the first letter at once. */
export function useAsked(text: string): string {
  const wanted = text.trim()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), asked === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only typing asks again
  }, [wanted])
  return asked
}
