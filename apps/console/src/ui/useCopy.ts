import { useEffect, useRef, useState } from 'react'
import { copyText } from './clipboard.ts'

/** How the last copy went; it returns to idle after two seconds, a failure stays until tried again. */
export type CopyState = 'idle' | 'copied' | 'failed'

/** Copies text and remembers for two seconds that it did. */
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
