import { useEffect, useState, useSyncExternalStore } from 'react'
import { connection } from '#/api/connection.ts'
import { onDemand } from '#/lib/lazily.tsx'

// The page is loaded first, and then this: without a server it would not come any more.
const { Component: Text, load } = onDemand(() => import('./ConnectionText.tsx'), 'ConnectionText')
const laterMs = 1000

/** True while the server cannot be reached, so that what is shown may be out of date. */
export const useIsLost = (): boolean => useSyncExternalStore(connection.subscribe, connection.isAway)

/** Says so, above everything. */
export function ConnectionLine() {
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    setTimeout(() => void load().then(() => setLoaded(true), reportError), laterMs)
  }, [])
  return <div role="status">{isLoaded && <Text />}</div>
}
