import { logout } from '@purlin/contract/operations/access/sessions'
import { useState } from 'react'
import { send } from '#/api/send.ts'
import { startSigningOut } from '#/api/session.ts'
import { forgetWithSession } from '#/resource/kept.ts'
import { heldPage } from '#/resource/actions/activity.ts'
import { toastFailure } from '#/resource/actions/toasts.tsx'

/** Ends the session and goes to the sign-in page, which cannot be left by going back. */
export function useSignOut(): { run: () => void; pending: boolean } {
  const [pending, setPending] = useState(false)
  const run = async () => {
    setPending(true)
    const stay = startSigningOut()
    try {
      await send(logout, {})
      forgetWithSession()
      window.location.assign('/login')
    } catch (error) {
      stay()
      toastFailure('Could not sign out', error)
      setPending(false)
    }
  }
  return { run: () => void (heldPage.get() > 0 ? askFirst(run) : run()), pending }
}

const askFirst = async (run: () => Promise<void>) => {
  const { askToSignOut } = await import('./dialogs/askToSignOut.ts')
  askToSignOut(run)
}
