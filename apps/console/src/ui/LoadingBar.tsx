import { useEffect, useState } from 'react'

type Phase = 'idle' | 'running' | 'done'

/** The 1 px line at the top while a page loads. It waits 20 ms, so that what is already there shows no line.
 * Change `run` for every navigation, and a new one starts the line again. */
export function LoadingBar({ loading, run = '' }: { loading: boolean; run?: string }) {
  const [phase, setPhase] = useState<Phase>('idle')
  useEffect(() => {
    if (!loading) {
      setPhase((now) => (now === 'running' ? 'done' : now))
      const timer = window.setTimeout(() => setPhase('idle'), 300)
      return () => window.clearTimeout(timer)
    }
    setPhase('idle')
    const timer = window.setTimeout(() => setPhase('running'), 20)
    return () => window.clearTimeout(timer)
  }, [loading, run])
  return (
    <div aria-hidden data-phase={phase} className="pointer-events-none fixed inset-x-0 top-0 z-50 h-px">
      {phase !== 'idle' && (
        <div className={`h-full bg-accent ${phase === 'running' ? 'loading-bar' : 'loading-bar-done'}`} />
      )}
    </div>
  )
}
