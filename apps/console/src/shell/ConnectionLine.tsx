import CloudOff from 'lucide-react/icons/cloud-off'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { connection } from '#/api/connection.ts'

/** True while the server cannot be reached, so that what is shown may be out of date. */
export const useIsLost = (): boolean => useSyncExternalStore(connection.subscribe, connection.isAway)

/** How long it can be heard that the server is back. */
const backMs = 5000

/** Says so, above everything. */
export function ConnectionLine() {
  const state = useSyncExternalStore(connection.subscribe, connection.get)
  const isAway = useIsLost()
  const isBack = useWasAway(isAway)
  return (
    <div role="status">
      {isAway && <AwayLine isTrying={state === 'trying'} />}
      {isBack && <span className="sr-only">The server answers again.</span>}
    </div>
  )
}

/** True for a while after the server could not be reached. */
function useWasAway(isAway: boolean): boolean {
  const [wasAway, setWasAway] = useState(false)
  useEffect(() => {
    if (!isAway) return
    return () => {
      setWasAway(true)
      setTimeout(() => setWasAway(false), backMs)
    }
  }, [isAway])
  return wasAway && !isAway
}

function AwayLine({ isTrying }: { isTrying: boolean }) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const pressed = button.current
    return () => {
      if (document.activeElement === pressed) document.getElementById('content')?.focus()
    }
  }, [])
  return (
    <div className="flex min-h-10 items-center justify-center gap-3 border-b border-line bg-raised px-4 py-2 text-secondary">
      <CloudOff size={16} aria-hidden className="shrink-0" />
      <p>
        {navigator.onLine ? 'The server does not answer.' : 'You are offline.'} What is shown may be out of
        date.{' '}
        <button
          ref={button}
          type="button"
          className="ml-1.5 inline-block min-h-6 min-w-18 text-left font-medium underline underline-offset-2 aria-disabled:no-underline"
          aria-disabled={isTrying}
          onClick={() => connection.retry()}
        >
          {isTrying ? 'Trying…' : 'Try again'}
        </button>
      </p>
    </div>
  )
}
