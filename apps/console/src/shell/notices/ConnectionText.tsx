import { useRouter } from '@tanstack/react-router'
import CloudOff from 'lucide-react/icons/cloud-off'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from '#/lib/store.ts'
import { connection } from '#/api/connection.ts'
import { retry } from '#/api/retry.ts'

/** How long it can be heard that the server is back. */
const backMs = 5000

/** Says that the server cannot be reached, and that it can be again. */
export function ConnectionText() {
  const router = useRouter()
  const state = useStore(connection)
  const isAway = useStore({ ...connection, get: connection.isAway })
  const isBack = useWasAway(isAway)
  // A page that failed to load in the meantime.
  useEffect(() => retry.onBack(() => void router.invalidate()), [router])
  return (
    <>
      {isAway && <AwayLine isTrying={state === 'trying'} />}
      {isBack && <span className="sr-only">The server answers again.</span>}
    </>
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
        {navigator.onLine ? 'The server does not answer.' : 'You are offline.'} The page may be out of date.{' '}
        <button
          ref={button}
          type="button"
          className="ml-1.5 inline-block min-h-6 min-w-18 text-left font-medium underline underline-offset-2 aria-disabled:no-underline"
          aria-disabled={isTrying}
          onClick={() => retry.now()}
        >
          {isTrying ? 'Trying…' : 'Try again'}
        </button>
      </p>
    </div>
  )
}
