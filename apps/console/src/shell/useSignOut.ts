import { logout } from '@purlin/contract/operations/access/sessions'
import { useState } from 'react'
import { failure } from '#/api/errors.ts'
import { ApiError, send } from '#/api/send.ts'
import { startSigningOut } from '#/api/session.ts'
import { heldPage } from '#/resource/actions/activity.ts'
import { addToast } from '#/ui/feedback/toast.ts'

/** Ends the session and goes to the sign-in page, which cannot be left by going back. */
export function useSignOut(): { run: () => void; pending: boolean } {
  const [pending, setPending] = useState(false)
  const run = async () => {
    setPending(true)
    const stay = startSigningOut()
    try {
      await send(logout, {})
      window.location.assign('/login')
    } catch (error) {
      stay()
      const requestId = error instanceof ApiError ? error.requestId : undefined
      addToast({ variant: 'error', title: 'Could not sign out', content: failure(error).message, requestId })
      setPending(false)
    }
  }
  return { run: () => void (heldPage.get() > 0 ? askFirst(run) : run()), pending }
}

const askFirst = async (run: () => Promise<void>) => {
  const { askToSignOut } = await import('./dialogs/askToSignOut.ts')
  askToSignOut(run)
}
