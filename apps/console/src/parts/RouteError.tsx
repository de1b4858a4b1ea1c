import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ApiError } from '../send.ts'
import { ErrorScreen } from '../ui/ErrorScreen.tsx'
import { useSignOut } from './useSignOut.ts'

const NoRolesNotice = lazy(() => import('./NoRolesNotice.tsx').then((module) => ({ default: module.NoRolesNotice })))

/** What stands in place of a route that failed. */
export function RouteError({ error }: { error: unknown }) {
  const router = useRouter()
  const signOut = useSignOut()
  const api = error instanceof ApiError ? error : undefined
  if (!api) console.error(error)
  return (
    <ErrorScreen
      kind={api?.status === 404 ? 'not-found' : 'failed'}
      notice={api?.status === 403 ? <Suspense><NoRolesNotice /></Suspense> : undefined}
      requestId={api?.requestId}
      onRetry={() => void router.invalidate()}
      onSignOut={signOut.run}
      signingOut={signOut.pending}
    />
  )
}

/** No such page. */
export function RouteNotFound() {
  const signOut = useSignOut()
  return <ErrorScreen kind="not-found" onSignOut={signOut.run} signingOut={signOut.pending} />
}
