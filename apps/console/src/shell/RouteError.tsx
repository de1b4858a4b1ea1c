import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { connection } from '#/api/connection.ts'
import { ApiError } from '#/api/send.ts'
import { lazily } from '#/lib/lazily.tsx'

/** Shown if the error screen itself cannot be loaded. */
function Unreachable() {
  const router = useRouter()
  return (
    <div role="alert" className="flex flex-wrap items-baseline gap-x-3 p-8">
      <p>The server cannot be reached. Check the connection.</p>
      <button
        type="button"
        className="min-h-6 font-medium underline underline-offset-2"
        onClick={() => void router.invalidate()}
      >
        Try again
      </button>
    </div>
  )
}
const fetchScreen = () => import('./RouteErrorScreen.tsx').catch(() => ({ RouteErrorScreen: Unreachable }))
const Screen = lazily<'RouteErrorScreen', { error?: unknown }>(fetchScreen, 'RouteErrorScreen')

/** Shown instead of a route that failed, until the server can be reached again if that was why. */
export function RouteError({ error }: { error: unknown }) {
  const router = useRouter()
  const isAnswered = error instanceof ApiError && error.status < 500
  useEffect(() => {
    if (isAnswered) return
    connection.unanswered()
    return connection.onBack(() => void router.invalidate())
  }, [isAnswered, router])
  return <Screen error={error} />
}
/** No such page. */
export const RouteNotFound = () => <Screen />
