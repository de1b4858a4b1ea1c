import { useRouter } from '@tanstack/react-router'
import { useContext, useEffect } from 'react'
import { lazily } from '#/lib/lazily.tsx'
import { ApiError } from '#/api/send.ts'
import { ErrorScreen } from '#/ui/feedback/ErrorScreen.tsx'
import type { Reason } from './notices/NoRolesNotice.tsx'
import { InFrame } from './InFrame.ts'
import { useSignOut } from './useSignOut.ts'

const NoRolesNotice = lazily(() => import('./notices/NoRolesNotice.tsx'), 'NoRolesNotice')

/** The error screen of a failed route; without an error, of a page that does not exist. */
export function RouteErrorScreen({ error }: { error?: unknown }) {
  const router = useRouter()
  const framed = useContext(InFrame)
  const signOut = useSignOut()
  const api = error instanceof ApiError ? error : undefined
  const isMissing = error === undefined || api?.status === 404
  useEffect(() => {
    if (error !== undefined && !(error instanceof ApiError)) console.error(error)
  }, [error])
  const screen = (reason?: Reason) => (
    <ErrorScreen
      kind={isMissing ? 'not-found' : (reason?.kind ?? 'failed')}
      notice={reason?.notice}
      requestId={api?.requestId}
      onSignOut={signOut.run}
      signingOut={signOut.pending}
      framed={framed}
      {...(isMissing ? {} : { onRetry: () => void router.invalidate() })}
    />
  )
  return api?.status === 403 ? <NoRolesNotice>{screen}</NoRolesNotice> : screen()
}
