import { useEffect, useRef, useState } from 'react'
import { copyText } from './clipboard.ts'

/** The result of the last copy; it returns to idle after two seconds, a failure stays until the next try. */
export type CopyState = 'idle' | 'copied' | 'failed'

/** Copies text and reports success for two seconds. */
export function useCopy(): { state: CopyState; copy: (text: string) => Promise<void>; reset: () => void } {
  const [state, setState] = useState<CopyState>('idle')
  const timer = useRef<number | undefined>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const copy = async (text: string) => {
    window.clearTimeout(timer.current)
    const isCopied = await copyText(text)
    setState(isCopied ? 'copied' : 'failed')
    if (isCopied) timer.current = window.setTimeout(() => setState('idle'), 2000)
  }
  return { state, copy, reset: () => setState('idle') }
}
