import { ping } from '@purlin/contract/operations/access/sessions'
import { useRouter } from '@tanstack/react-router'
import { useContext, useEffect } from 'react'
import { lazily } from '#/lib/lazily.tsx'
import { retry } from '#/api/retry.ts'
import { ApiError, send } from '#/api/send.ts'
import { forgetPlaces } from '#/resource/address/recent.ts'
import { ErrorScreen } from '#/ui/feedback/ErrorScreen.tsx'
import type { Reason } from './notices/NoRolesNotice.tsx'
import { InFrame } from './InFrame.ts'
import { useSignOut } from './useSignOut.ts'

const NoRolesNotice = lazily(() => import('./notices/NoRolesNotice.tsx'), 'NoRolesNotice')

/** True if code could not be fetched. Chromium fetches it again only for a new document. */
const isOfCode = (error: unknown): boolean => error instanceof TypeError && /\bmodule\b/i.test(error.message)
const reload = () => location.reload()
/** Where nothing answers, a reload would leave the browser's own error. */
const reloadIfThere = () => void send(ping, {}).then(reload, () => undefined)
/** A document that was reloaded already does not reload itself again. */
const wasReloaded = () =>
  performance.getEntriesByType('navigation').some((one) => 'type' in one && one.type === 'reload')

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
  const isGone = api?.status === 404
  useEffect(() => {
    if (isGone) forgetPlaces(location.pathname)
  }, [isGone])
  const needsDocument = isOfCode(error)
  useEffect(() => {
    if (!needsDocument) return
    if (!wasReloaded()) reloadIfThere()
    return retry.onBack(reload)
  }, [needsDocument])
  const tryAgain = needsDocument ? reloadIfThere : () => void router.invalidate()
  const screen = (reason?: Reason) => (
    <ErrorScreen
      kind={isMissing ? 'not-found' : (reason?.kind ?? 'failed')}
      notice={reason?.notice}
      requestId={api?.requestId}
      code={api?.code}
      onSignOut={signOut.run}
      signingOut={signOut.pending}
      framed={framed}
      {...(isMissing ? {} : { onRetry: tryAgain })}
    />
  )
  return api?.status === 403 ? <NoRolesNotice>{screen}</NoRolesNotice> : screen()
}
