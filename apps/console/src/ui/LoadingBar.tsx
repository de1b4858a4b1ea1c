import { useEffect, useState } from 'react'

/** The 1 px line at the top while a page loads. It waits 20 ms, so that a page that is already loaded shows no line.
 * Change `run` for every navigation, and a new one starts the line again. */
export function LoadingBar({ loading, run = '' }: { loading: boolean; run?: string }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(loading), loading ? 20 : 300)
    return () => window.clearTimeout(timer)
  }, [loading, run])
  return (
    <div aria-hidden className="pointer-events-none fixed inset-x-0 top-0 z-50 h-px">
      {isShown && (
        <div key={run} className={`h-full bg-accent ${loading ? 'loading-bar' : 'loading-bar-done'}`} />
      )}
    </div>
  )
}
